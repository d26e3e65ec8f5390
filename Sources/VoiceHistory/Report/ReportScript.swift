/// What a report does: plays, shows what is behind a mark, zooms; all of it by keyboard too. Without it the page can still
/// be read.
enum ReportScript {
  static let javascript = """
    "use strict";
    const page = document.documentElement;
    const seconds = Number(document.querySelector(".rows").dataset.seconds);
    const lanes = document.querySelector(".scroll"), rows = document.querySelector(".rows");
    const marks = [...document.querySelectorAll(".mark")].sort((a, b) => a.dataset.start - b.dataset.start);
    const tracks = [...document.querySelectorAll("audio")];
    const play = document.querySelector("#play"), clock = document.querySelector("#clock");
    const head = document.querySelector(".head"), detail = document.querySelector(".detail");
    const lines = JSON.parse(document.querySelector("#lines").textContent);
    // What the user wants, and since when it is so: a browser takes its time to begin.
    let now = 0, playing = false, started = null, zoom = 1, current = 0;

    const text = time => {
      const minutes = Math.floor(time / 60), rest = (time % 60).toFixed(3).padStart(6, "0");
      return String(minutes).padStart(2, "0") + ":" + rest;
    };

    // One clock for both tracks: each is set to it where it strays, so that they stay together.
    function position() {
      return started === null ? now : Math.min(seconds, started.at + (performance.now() - started.since) / 1000);
    }
    function show(time) {
      now = time;
      clock.textContent = text(time);
      head.style.left = (100 * time / seconds) + "%";
    }
    function follow() {
      if (started === null) return;
      const time = position();
      show(time);
      for (const track of tracks) {
        if (track.paused || track.ended) continue;
        if (Math.abs(track.currentTime - time) > 0.15) track.currentTime = time;
      }
      const left = head.offsetLeft;
      if (left < lanes.scrollLeft || left > lanes.scrollLeft + lanes.clientWidth) lanes.scrollLeft = left - 40;
      if (time >= seconds) return pause();
      requestAnimationFrame(follow);
    }
    async function start() {
      playing = true;
      play.textContent = "Pause";
      if (now >= seconds) show(0);
      const wanted = tracks.filter(track => now < (track.duration || Infinity));
      for (const track of wanted) track.currentTime = now;
      try {
        await Promise.all(wanted.map(track => track.play()));
      } catch (error) {
        if (!playing) return;
        pause();
        detail.querySelector("p").textContent = "This browser cannot play the sound: " + error.message;
        return;
      }
      if (!playing || started !== null) return;
      started = { at: now, since: performance.now() };
      follow();
    }
    function pause() {
      show(position());
      playing = false;
      started = null;
      for (const track of tracks) track.pause();
      play.textContent = "Play";
    }
    function seek(time) {
      const goesOn = playing;
      if (goesOn) pause();
      show(Math.max(0, Math.min(seconds, time)));
      if (goesOn) start();
    }

    function choose(index, focus) {
      if (!marks.length) return;
      marks[current].tabIndex = -1;
      marks[current].removeAttribute("aria-current");
      current = Math.max(0, Math.min(marks.length - 1, index));
      const mark = marks[current];
      mark.tabIndex = 0;
      mark.setAttribute("aria-current", "true");
      if (focus) {
        mark.focus({ preventScroll: true });
        mark.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
      detail.querySelector("p").textContent = mark.getAttribute("aria-label");
      detail.querySelector("pre").textContent = lines[mark.dataset.step] ?? "";
    }
    function besides(mark, direction) {
      const same = other => other.dataset.lane === mark.dataset.lane;
      const order = [...new Set(marks.map(other => other.dataset.lane))];
      order.sort((a, b) => rows.querySelector(`[data-row="${a}"]`).offsetTop - rows.querySelector(`[data-row="${b}"]`).offsetTop);
      const lane = order[order.indexOf(mark.dataset.lane) + direction];
      const there = marks.filter(other => other.dataset.lane === lane);
      if (!there.length) return marks.indexOf(mark);
      const near = there.reduce((a, b) =>
        Math.abs(a.dataset.start - mark.dataset.start) <= Math.abs(b.dataset.start - mark.dataset.start) ? a : b);
      return marks.indexOf(near);
    }

    function setZoom(factor) {
      const middle = (lanes.scrollLeft + lanes.clientWidth / 2) / rows.offsetWidth;
      zoom = Math.max(1, Math.min(Math.max(1, seconds), factor));
      rows.style.setProperty("--zoom", zoom);
      lanes.scrollLeft = middle * rows.offsetWidth - lanes.clientWidth / 2;
      drawAxis();
    }
    function drawAxis() {
      const wanted = seconds / (rows.offsetWidth / 90);
      const step = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600].find(s => s >= wanted) ?? 7200;
      const axis = rows.querySelector(".axis");
      axis.replaceChildren();
      for (let index = 0; index * step < seconds && index < 5000; index += 1) {
        const tick = document.createElement("span");
        tick.style.left = (100 * index * step / seconds) + "%";
        tick.textContent = step < 1 ? text(index * step) : text(index * step).slice(0, -4);
        axis.append(tick);
      }
    }

    marks.forEach((mark, index) => {
      mark.addEventListener("click", () => { choose(index, true); seek(Number(mark.dataset.start)); });
    });
    document.querySelectorAll(".talk button").forEach(button => {
      button.addEventListener("click", () => seek(Number(button.dataset.start)));
    });
    rows.addEventListener("click", event => {
      if (event.target.closest(".mark")) return;
      seek(seconds * (event.clientX - rows.getBoundingClientRect().left) / rows.offsetWidth);
    });
    play.addEventListener("click", () => playing ? pause() : start());
    document.querySelectorAll("[data-mute]").forEach(box => {
      box.addEventListener("change", () => { document.getElementById(box.dataset.mute).muted = !box.checked; });
    });
    document.querySelector("#closer").addEventListener("click", () => setZoom(zoom * 2));
    document.querySelector("#wider").addEventListener("click", () => setZoom(zoom / 2));
    addEventListener("resize", drawAxis);
    addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
      const mark = marks[current];
      const onMark = document.activeElement === mark;
      const keys = {
        ArrowRight: () => choose(onMark ? current + 1 : current, true),
        ArrowLeft: () => choose(onMark ? current - 1 : current, true),
        ArrowDown: () => choose(besides(mark, 1), true),
        ArrowUp: () => choose(besides(mark, -1), true),
        Home: () => choose(0, true),
        End: () => choose(marks.length - 1, true),
        p: () => play.click(),
        ",": () => seek(position() - 1),
        ".": () => seek(position() + 1),
        "+": () => setZoom(zoom * 2),
        "-": () => setZoom(zoom / 2),
      };
      if (keys[event.key] && marks.length) {
        event.preventDefault();
        keys[event.key]();
      }
    });
    drawAxis();
    show(0);
    choose(0, false);
    """
}
