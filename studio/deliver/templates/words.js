// What the pages say, in both languages, and what the reader prefers (kept between visits).
"use strict";

const Words = {
  en: {
    course: "Visible inference", skip: "Skip to the film", language: "Language", theme: "Theme",
    dark: "Dark", light: "Light", parameters: "Parameters", back: "Back", next: "Next",
    play: "Play", pause: "Pause", subtitles: "Subtitles", off: "Off", full: "Full screen",
    through: "Play straight through", stills: "Stills only", source: "Source of the numbers",
    keys: "→ next · ← back · space pause · digits go to that beat · , . one frame · B black · "
      + "F full screen · C subtitles · M sound · P presenter view",
    labs: "Labs:", speed: "Speed", copy: "Copy link", embed: "Embed code", presenter: "Presenter view",
    copied: "Copied", byHand: "Could not copy: copy the selected text yourself.",
    nextAct: "Next act", onward: "End of the act. → again for: {0}",
    missing: "The clip {0} is missing; its last picture is shown instead.",
    search: "Search words and source lines", found: "{0} found",
    steps: "Engine steps", anchors: "In the engine", beats: "Beats", downloads: "Downloads",
    act: "Act {0}", beat: "Beat {0} of {1}", end: "End of beat {0}", last: "End of the act",
    sound: "Sound", voice: "Voice", machine: "A machine speaks: {0}.", person: "A person speaks.",
    film: "Film", clip: "This beat", vtt: "Subtitles", transcript: "Transcript", cues: "Cue sheet",
    other: "This film exists in {0} only.",
    languages: { en: "English", zh: "Chinese" },
    themes: { dark: "the dark theme", light: "the light theme" },
    engine: "nano-vLLM, one idea at a time",
    lead: "How a small inference engine serves large language models: recorded from the engine, "
      + "checked, and drawn frame by frame. Each act goes one beat at a time, at your pace.",
  },
  zh: {
    course: "看得见的推理", skip: "跳到影片", language: "语言", theme: "主题", dark: "深色",
    light: "浅色", parameters: "参数", back: "上一拍", next: "下一拍", play: "播放", pause: "暂停",
    subtitles: "字幕", off: "关", full: "全屏", through: "连续播放", stills: "只看静态图（每拍最后一帧）",
    source: "数字来源",
    keys: "→ 下一拍 · ← 上一拍 · 空格 暂停 · 数字 跳到该拍 · , . 逐帧 · B 黑屏 · F 全屏 · C 字幕 · M 声音 · P 演讲者视图",
    labs: "实验：", speed: "速度", copy: "复制链接", embed: "网页嵌入代码", presenter: "演讲者视图",
    copied: "已复制", byHand: "未能自动复制，请手动复制选中的文字。",
    nextAct: "下一幕", onward: "本幕结束。再按 → 进入：{0}",
    missing: "缺少片段 {0}，以本拍最后一个画面代替。", search: "搜索文稿和源码行", found: "找到 {0} 处",
    steps: "引擎步", anchors: "引擎源码", beats: "各拍目录", downloads: "下载",
    act: "第 {0} 幕", beat: "第 {0} 拍，共 {1} 拍", end: "第 {0} 拍结束", last: "本幕结束", film: "影片",
    sound: "声音", voice: "朗读", machine: "由机器朗读：{0}。", person: "由真人朗读。",
    clip: "本拍片段", vtt: "字幕", transcript: "文稿", cues: "时间点清单",
    other: "此影片只有{0}版。", languages: { en: "英文", zh: "中文" }, themes: { dark: "深色主题", light: "浅色主题" },
    engine: "nano-vLLM，一次讲一件事",
    lead: "一个小巧的推理引擎，怎样让大语言模型回答许多人的提问：数据录自引擎，结果经过验证，画面逐帧绘出。每一幕分成若干拍，快慢由你。",
  },
  tags: { en: "en", zh: "zh-Hans" },

  memory: {},
  kept(key, otherwise) {
    if (key in this.memory) return this.memory[key];
    try { return localStorage.getItem("course." + key) ?? otherwise; } catch { return otherwise; }
  },
  keep(key, value) {
    this.memory[key] = value;
    try { localStorage.setItem("course." + key, value); } catch { /* a private window */ }
  },
  get language() { return this.kept("language", navigator.language.startsWith("zh") ? "zh" : "en"); },
  // What was chosen; else what the system asks for where there is such a film, else the films' own.
  get theme() {
    const themes = this.themes || [], wish = matchMedia("(prefers-color-scheme: light)").matches
      ? "light" : "dark";
    return this.kept("theme", themes.length && !themes.includes(wish) ? themes[0] : wish);
  },
  get themes() { return document.body?.dataset.themes?.split(" "); },

  say(key, ...values) {
    return this[this.language][key].replace(/\{(\d)\}/g, (_, k) => values[k]);
  },
  // Put the words and the theme that are preferred now into the page.
  apply() {
    const page = document.documentElement;
    page.lang = this.tags[this.language];
    page.dataset.theme = this.theme;
    for (const node of document.querySelectorAll("[data-say]"))
      node.textContent = this[this.language][node.dataset.say];
    // a card's picture is that of the film which the choices would open
    for (const node of document.querySelectorAll("[data-pictures]")) {
      const score = p => 2 * (p.language === this.language) + (p.theme === this.theme);
      node.src = JSON.parse(node.dataset.pictures).reduce(
        (best, p) => (score(p) > score(best) ? p : best)).src;
    }
  },
  // Wire the two choices in the bar; `then` runs after each change.
  choose(then = () => {}) {
    for (const key of ["language", "theme"]) {
      const select = document.getElementById(key);
      select.value = this[key];
      select.addEventListener("change", () => {
        this.keep(key, select.value);
        this.apply();
        for (const other of ["language", "theme"])
          document.getElementById(other).value = this[other];
        then();
      });
    }
    this.apply();
  },
};
