/// How a report looks: in light and in dark, at any zoom.
enum ReportStyle {
  static let css = """
    :root {
      color-scheme: light dark;
      --ground: #fbfaf7; --panel: #ffffff; --text: #1d2126; --faint: #5c6570; --line: #d9dbdf; --focus: #0b5fd0;
      --speech: #3c7dd9; --transcript: #7a5ea8; --proposal: #a8578d; --decision: #b97a10; --dispatch: #6b747e;
      --agent: #2f8a5f; --voice: #0d8295; --good: #2f8a5f; --bad: #c23b3b; --wait: #b97a10; --wave: #8594a5;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #14171b; --panel: #1c2026; --text: #e8eaed; --faint: #9aa4b0; --line: #343a43; --focus: #7db4ff;
        --speech: #5f9bef; --transcript: #a58bd6; --proposal: #d283b8; --decision: #e0a640; --dispatch: #98a2ae;
        --agent: #58b98a; --voice: #3fb6c9; --good: #58b98a; --bad: #ee7474; --wait: #e0a640; --wave: #66758a;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 1500px; padding: 1.2rem; background: var(--ground); color: var(--text);
      font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
    h1 { font-size: 1.35rem; margin: 0 0 .2rem; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
    .facts { color: var(--faint); margin: 0 0 1rem; } .damage { color: var(--bad); }
    button, input { font: inherit; color: inherit; }
    .controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .6rem 0; }
    .controls button { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
      padding: .25rem .8rem; cursor: pointer; }
    .controls output { font-variant-numeric: tabular-nums; min-width: 6em; }
    :focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
    kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; font-size: .85em; }
    .keys { color: var(--faint); font-size: .85rem; }
    .lanes { display: grid; grid-template-columns: 8.5rem 1fr; background: var(--panel); border: 1px solid var(--line);
      border-radius: 8px; overflow: hidden; }
    .names > div, .rows > div { border-bottom: 1px solid var(--line); }
    .names > div { padding: 0 .6rem; display: flex; align-items: center; font-size: .85rem; color: var(--faint); }
    .scroll { overflow-x: auto; } .rows { position: relative; width: calc(100% * var(--zoom, 1)); min-width: 100%; }
    .axis { height: 1.8rem; } .axis, .row { position: relative; }
    .axis span { position: absolute; bottom: 0; border-left: 1px solid var(--line); padding-left: 3px; font-size: .75rem;
      color: var(--faint); font-variant-numeric: tabular-nums; white-space: nowrap; }
    .wave svg { position: absolute; inset: 2px 0; height: calc(100% - 4px); display: block; }
    .wave path { fill: var(--wave); }
    .mark { position: absolute; height: 1.35rem; min-width: 4px; padding: 0 3px; border: 0; border-radius: 3px;
      background: var(--dispatch); color: #fff; font-size: .75rem; line-height: 1.35rem; text-align: left;
      overflow: hidden; white-space: nowrap; text-overflow: clip; cursor: pointer; }
    @media (prefers-color-scheme: dark) { .mark { color: #101317; } }
    .mark.point { width: .8rem; height: .8rem; margin-top: .25rem; padding: 0; border-radius: 50%;
      transform: translateX(-.4rem); color: transparent; }
    .mark[aria-current="true"] { outline: 2px solid var(--focus); outline-offset: 1px; z-index: 2; }
    .turn-speech { background: var(--speech); } .turn-transcript { background: var(--transcript); }
    .turn-proposal { background: var(--proposal); } .turn-decision { background: var(--decision); }
    .turn-dispatch { background: var(--dispatch); } .turn-agent { background: var(--agent); }
    .turn-voice { background: var(--voice); } .lane-voice { background: var(--speech); }
    .link-opening { background: var(--wait); } .link-open { background: var(--good); }
    .lane-proposals { background: var(--proposal); } .proposals-stop { background: var(--bad); }
    .lane-held { background: var(--decision); } .held-rejected, .held-lapsed { background: var(--bad); }
    .held-approved { background: var(--good); }
    .lane-run { background: var(--agent); } .run-failed { background: var(--bad); } .run-stopped { background: var(--wait); }
    .lane-tools { background: var(--transcript); } .tools-failed, .tools-declined { background: var(--bad); }
    .lane-speech { background: var(--voice); } .speech-readBack { background: var(--decision); }
    .speech-model { background: var(--dispatch); }
    .head { position: absolute; top: 0; bottom: 0; width: 2px; background: var(--focus); pointer-events: none; z-index: 3; }
    .detail { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem;
      margin-top: .6rem; min-height: 6.5rem; }
    .detail p { margin: 0 0 .3rem; } pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem;
      color: var(--faint); max-height: 16rem; overflow-y: auto; }
    .tables { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
    th { font-weight: 600; color: var(--faint); font-size: .85rem; }
    th:first-child, td:first-child, td:last-child, th:last-child { text-align: left; }
    td:last-child { white-space: normal; min-width: 16rem; }
    .talk { list-style: none; padding: 0; margin: 0; } .talk li { display: flex; gap: .7rem; padding: .12rem 0; }
    .talk button { background: none; border: 0; padding: 0; color: var(--focus); cursor: pointer;
      font-variant-numeric: tabular-nums; flex: none; align-self: flex-start; }
    .talk .label { flex: none; width: 5.5rem; color: var(--faint); } .talk .you span:last-child { font-weight: 600; }
    .why p { margin: .1rem 0; } .why time { color: var(--faint); font-variant-numeric: tabular-nums; margin-right: .6rem; }
    summary { cursor: pointer; }
    """
}
