#!/usr/bin/env python3
"""Print the functions of PARLEY that a session runs for every frame, for the linker to put side by side (script/build).

What a frame costs is mostly fetching code that was not used for 20 ms: on fewer pages it costs less. `parley run` listens
and speaks between two pipes under valgrind's callgrind; printed is the name of each function of the program that is called
at least once for ten frames, most often called first. Functions that are gone, or renamed, do no harm in the list.
Needs valgrind. Usage: hot_functions.py PARLEY >script/hot-functions.txt
"""
import collections, os, struct, subprocess, sys, tempfile, threading, time
import wire

# To wait for the start, to listen, and to speak.
SECONDS = 10


def run(program, folder):
    """A session, watched while it listens and while it speaks; the number of frames in that time."""
    wire.make_identity(folder)
    server = wire.Server(folder)
    microphone, speaker, command, environment = wire.session(program, folder, server.port)
    wire.SpeakerReader(speaker)
    process = subprocess.Popen(
        ["valgrind", "--tool=callgrind", "--demangle=no", "--instr-atstart=no",
         f"--callgrind-out-file={folder}/calls", *command],
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Both ends, so that opening it does not wait for a program that may have failed.
    pipe, count, stop = os.open(microphone, os.O_RDWR), [0], threading.Event()
    if not server.ready.wait(60):
        process.kill()
        sys.exit("the program never set up its session under valgrind")

    def speak():
        while not stop.wait(0.02):
            os.write(pipe, bytes(640))
            count[0] += 1

    threading.Thread(target=speak, daemon=True).start()
    # The start is over when the names of the project are known, too.
    time.sleep(SECONDS)
    subprocess.run(["callgrind_control", "--instr=on", str(process.pid)], check=True, stdout=subprocess.DEVNULL)
    count[0] = 0
    time.sleep(SECONDS)
    server.say(patience=30)
    for _ in range(SECONDS * 10):
        server.readout.send_audio(struct.pack("<h", 9000) * 2400)
        time.sleep(0.1)
    server.finish_turn()
    server.listener.send({"serverContent": {"turnComplete": True}})
    stop.set()
    time.sleep(0.1)
    os.close(pipe)
    process.wait(120)
    return count[0]


def calls(path, program):
    """How often each function of the program was called, out of what callgrind wrote."""
    names, objects, counts = {}, {}, collections.Counter()
    own = called = callee = None

    def name(text, known):
        number, _, value = text.partition(" ")
        if value:
            known[number] = value
        return known[number]

    with open(path) as lines:
        for line in lines:
            kind, _, text = line.rstrip("\n").partition("=")
            if kind == "ob":
                own = called = name(text, objects)
            elif kind == "fn":
                name(text, names)
            elif kind == "cob":
                called = name(text, objects)
            elif kind == "cfn":
                callee = name(text, names)
            elif kind == "calls":
                if called == program:
                    counts[callee.split("'")[0]] += int(text.split()[0])
                # The callee's object is named only where it is another one.
                called = own
    return counts


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="parley-hot-") as folder:
        program = os.path.join(folder, "program")
        subprocess.run(["strip", "-g", "-o", program, sys.argv[1]], check=True)
        frames = run(program, folder)
        print("# Written by Benchmarks/hot_functions.py: the functions that run for every frame.")
        for name, count in calls(os.path.join(folder, "calls"), program).most_common():
            if count >= frames / 10 and not name.startswith("0x"):
                print(name)


if __name__ == "__main__":
    main()
