"""What every scripted agent does when it is asked to `halt PHASE BEHAVIOUR FOLDER`: it works until it is stopped.

PHASE says how far it comes before: headers, text, tool, permission, or flood, which writes until it is told to stop. BEHAVIOUR says what it makes of being told to stop: obeys,
late (a while later), ignores, dies. What it does it writes into FOLDER/work, a word a line: `asked PID`, then `over` at the very
end of the work. FOLDER/control tells it more: `go` (on from the phase), `release` (the work is done), `die`.
"""

import os
import threading
import time


class Halting:
    def __init__(self, words):
        self.phase, self.behaviour, self.folder = words.split()[1:4]
        self.told, self.over = threading.Event(), threading.Event()

    def begin(self):
        """Say that it was asked, once whoever hears of that can stop it."""
        self.log("asked %d" % os.getpid())

    def log(self, words):
        with open(self.folder + "/work", "a") as file:
            file.write(words + "\n")

    def control(self):
        try:
            with open(self.folder + "/control") as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def stop(self):
        """It is told to stop. What becomes of that: confirmed, ignored or died."""
        if self.behaviour == "ignores":
            return "ignored"
        if self.behaviour == "late":
            time.sleep(0.3)
        self.told.set()
        if self.behaviour == "dies":
            return "died"
        self.over.wait(20)
        return "confirmed"

    def work(self, until_go=False):
        """Work, and say how that ended: stopped, done, died, go."""
        while True:
            if self.told.wait(0.01):
                if self.behaviour == "dies":
                    return "died"
                return self.end("stopped")
            words = self.control()
            if "release" in words:
                return self.end("done")
            if "die" in words:
                return "died"
            if until_go and "go" in words:
                return "go"

    def pour(self, write, most=400 << 20):
        """Write as fast as it can until it is told to stop, far more than anybody would read to its end."""
        for _ in range(most // 1000):
            if self.told.is_set():
                break
            write("x" * 999 + " ")

    def end(self, how):
        self.log("over")
        self.over.set()
        return how
