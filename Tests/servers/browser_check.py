"""Opens a report in headless Chromium, uses it as a person would, and prints what was seen as one JSON object.

usage: browser_check.py CHROMIUM REPORT PICTURES     (PICTURES: a folder for light.png and dark.png)
       browser_check.py CHROMIUM REPORT --words      (what the page's words made of it, and nothing else)

The browser is spoken to over its debugging pipe: descriptors 3 and 4, messages end with a zero byte.
"""

import base64
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

chromium, report, pictures = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
only_words = sys.argv[3] == "--words"
LIMIT_SECONDS = 60


class Browser:
    def __init__(self, profile):
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def hand_over():
            # The numbers may overlap: both are moved out of the way first.
            reading, writing = os.dup2(to_browser, 30), os.dup2(from_browser, 31)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [
                chromium, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run", "--mute-audio", f"--user-data-dir={profile}",
                "--window-size=1400,1000", "about:blank",
            ],
            preexec_fn=hand_over, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.events = []

    def receive(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise TimeoutError("the browser did not answer")
            block = os.read(self.read_end, 1 << 20)
            if not block:
                raise EOFError("the browser ended")
            self.buffer += block
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + LIMIT_SECONDS
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, expression):
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, expression):
        """Wait until an expression holds; false if it never does."""
        return self.evaluate(
            "new Promise(done => { const start = performance.now(); (function look() {"
            f" if ({expression}) done(true); else if (performance.now() - start > 15000) done(false);"
            " else requestAnimationFrame(look); })(); })")

    def press(self, key, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "")

    def picture(self, path, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(image["data"]))


def noted(browser):
    """Errors that the browser told of, and addresses outside of the page that it wanted to load."""
    errors, requests = [], []
    for event in browser.events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            errors.append(parameters["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            errors.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            errors.append(parameters["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            errors.append("a script opened a dialog")
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                requests.append(url)
    return errors, requests


def words(browser):
    """What the words of others became: they set window.sprung where a script of theirs runs."""
    seen = {"loaded": browser.until("document.readyState === 'complete' && document.querySelector('.mark')")}
    # Whatever listens for a key, a pointer or the focus is given what it listens for.
    browser.evaluate(
        "for (const part of document.querySelectorAll('*')) {"
        " for (const kind of ['mouseover', 'click', 'focus', 'error', 'load', 'toggle', 'animationstart'])"
        " part.dispatchEvent(new Event(kind)); }")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "End"):
        browser.press(key)
    seen["sprung"] = browser.evaluate("window.sprung ?? null")
    seen["scripts"] = browser.evaluate("document.scripts.length")
    seen["strangers"] = browser.evaluate(
        "[...document.querySelectorAll('img, iframe, object, embed, form, input:not([data-mute]), link:not([rel=icon]),"
        " style ~ style, base, math, template, a')].map(part => part.outerHTML.slice(0, 200))")
    seen["handlers"] = browser.evaluate(
        "[...document.querySelectorAll('*')].flatMap(part => [...part.attributes])"
        ".filter(attribute => attribute.name.startsWith('on') || attribute.name === 'autofocus')"
        ".map(attribute => attribute.name)")
    seen["title"] = browser.evaluate("document.title")
    seen["text"] = browser.evaluate("document.body.innerText")
    seen["labels"] = browser.evaluate("[...document.querySelectorAll('.mark')].map(mark => mark.ariaLabel)")
    seen["detail"] = browser.evaluate("document.querySelector('.detail pre').textContent")
    seen["errors"], seen["requests"] = noted(browser)
    return seen


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.call(f"{domain}.enable")
        browser.call("Page.navigate", url=report.as_uri())
        if only_words:
            print(json.dumps(words(browser)))
            sys.exit(0)
        seen = {"loaded": browser.until("document.readyState === 'complete' && document.querySelector('.mark')")}
        seen["rows"] = browser.evaluate("[...document.querySelectorAll('[data-row]')].map(row => row.dataset.row)")
        seen["marks"] = browser.evaluate("document.querySelectorAll('.mark').length")
        seen["filledLanes"] = browser.evaluate(
            "[...new Set([...document.querySelectorAll('.mark')].map(mark => mark.dataset.lane))].sort()")
        seen["tracks"] = browser.evaluate("document.querySelectorAll('audio').length")
        seen["ready"] = browser.until("[...document.querySelectorAll('audio')].every(track => track.duration > 0)")

        # By keyboard alone: choose marks, see the log line, play from one, zoom.
        browser.press("ArrowRight")
        browser.press("ArrowRight")
        seen["focused"] = browser.evaluate("document.activeElement.classList.contains('mark')")
        seen["detail"] = browser.evaluate("document.querySelector('.detail p').textContent")
        seen["line"] = browser.evaluate("document.querySelector('.detail pre').textContent")
        lane = browser.evaluate("document.activeElement.dataset.lane")
        browser.press("ArrowDown")
        seen["otherLane"] = browser.evaluate("document.activeElement.dataset.lane") != lane
        browser.press("Enter", "\r")
        seen["clock"] = browser.evaluate("document.querySelector('#clock').textContent")
        browser.press("Home")
        browser.press("Enter", "\r")
        begin = browser.evaluate("document.querySelector('#clock').textContent")
        browser.press("p", "p")
        seen["plays"] = browser.until(
            "[...document.querySelectorAll('audio')].some(track => !track.paused && track.currentTime > 0.5)"
            f" && document.querySelector('#clock').textContent > '{begin}'")
        browser.press("p", "p")
        seen["pauses"] = browser.until(
            "[...document.querySelectorAll('audio')].every(track => track.paused && !track.ended)"
            " && document.querySelector('#play').textContent === 'Play'")
        width = browser.evaluate("document.querySelector('.rows').offsetWidth")
        browser.press("+", "+")
        seen["zooms"] = browser.evaluate("document.querySelector('.rows').offsetWidth") > 1.9 * width
        browser.press("-", "-")

        pictures.mkdir(parents=True, exist_ok=True)
        browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        browser.picture(pictures / "light.png", "light")
        light = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        browser.picture(pictures / "dark.png", "dark")
        seen["schemesDiffer"] = light != browser.evaluate("getComputedStyle(document.body).backgroundColor")

        seen["errors"], seen["requests"] = noted(browser)
        print(json.dumps(seen))
    finally:
        browser.process.kill()
        browser.process.wait()
