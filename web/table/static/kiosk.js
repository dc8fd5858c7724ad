/* A keyboard for the screen of the table's own machine, which has none: below the field that a finger entered. */
"use strict";

(() => {
  const board = document.getElementById("keyboard");
  if (!board || !matchMedia("(any-pointer: coarse)").matches) return;

  const TEXT = "input:is(:not([type]), [type=text], [type=search], [type=password], [type=number]), textarea";
  const LOW = "{digits} {other} {space} , . - {enter} {done}";
  const keys = (rows) => [...rows, LOW];
  const upper = (rows) => rows.map((row) => row.replace(/\S+/g, (key) => (key[0] === "{" || key === "ß" ? key : key.toUpperCase())));
  const latin = (...rows) => ({ letters: keys(rows), capitals: keys(upper(rows)) });
  const english = latin("q w e r t y u i o p", "a s d f g h j k l '", "{shift} z x c v b n m {back}");
  /* Right to left, as the table of fifty sounds is read. */
  const KANA = ["わ ら や ま は な た さ か あ", "を り ゛ み ひ に ち し き い", "ん る ゆ む ふ ぬ つ す く う", "ー れ ゜ め へ ね て せ け え", "{shift} ろ よ も ほ の と そ こ お {small} {back}"];
  const katakana = (row) => row.replace(/[ぁ-ん]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));
  const OF_LANGUAGE = {
    de: latin("q w e r t z u i o p ü", "a s d f g h j k l ö ä", "{shift} y x c v b n m ß {back}"),
    fr: latin("a z e r t y u i o p", "q s d f g h j k l m", "{shift} w x c v b n ' é è {back}"),
    ko: {
      letters: keys(["ㅂ ㅈ ㄷ ㄱ ㅅ ㅛ ㅕ ㅑ ㅐ ㅔ", "ㅁ ㄴ ㅇ ㄹ ㅎ ㅗ ㅓ ㅏ ㅣ", "{shift} ㅋ ㅌ ㅊ ㅍ ㅠ ㅜ ㅡ {back}"]),
      capitals: keys(["ㅃ ㅉ ㄸ ㄲ ㅆ ㅛ ㅕ ㅑ ㅒ ㅖ", "ㅁ ㄴ ㅇ ㄹ ㅎ ㅗ ㅓ ㅏ ㅣ", "{shift} ㅋ ㅌ ㅊ ㅍ ㅠ ㅜ ㅡ {back}"]),
    },
    ja: { letters: keys(KANA), capitals: keys(KANA.map(katakana)) },
  };
  const own = OF_LANGUAGE[document.documentElement.lang] ?? english;
  const isLatin = !/[ㄱ-ㅣあ]/.test(own.letters.join());
  const ACCENTS = ["à á â ã ä å æ ç è é ê ë", "ì í î ï ñ ò ó ô õ ö ø œ", "{shift} ù ú û ü ý ß š ž č ł {back}"];
  const DIGITS = ["1 2 3 4 5 6 7 8 9 0", "- / : ; ( ) & @ # +", "! ? \" ' * _ = % {back}"];
  const layout = {
    ...own,
    ...(isLatin ? { accents: keys(ACCENTS), accentCapitals: keys(upper(ACCENTS)) } : { accents: english.letters, accentCapitals: english.capitals }),
    digits: keys(DIGITS),
  };
  const CAPITALS = { letters: "capitals", accents: "accentCapitals" };
  const SIZES = ["あいうえおつやゆよわアイウエオツヤユヨワ", "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ"];
  const VOICED = { "゛": "\u3099", "゜": "\u309a" };

  let field = null; // that is written in
  let before = ""; // what it said when it was entered
  let layer = "letters";
  let once = false; // capitals for one letter: the first of a name, or after one tap on shift

  const faces = {
    "{back}": "⌫", "{shift}": "⇧", "{space}": " ", "{enter}": "↵", "{small}": "小",
    "{digits}": "123", "{other}": isLatin ? "éß" : "ABC", "{done}": board.dataset.done,
  };
  const keyboard = new SimpleKeyboard.default(board, {
    layout,
    layoutName: layer,
    display: faces,
    useButtonTag: true,
    physicalKeyboardHighlight: false,
    disableCaretPositioning: true,
    preventMouseDownDefault: true, // the field keeps the focus
    preventMouseUpDefault: true,
    buttonAttributes: Object.entries({ ...board.dataset }).map(([key, value]) => ({ attribute: "aria-label", value, buttons: `{${key}}` })),
    onKeyPress: press,
  });

  function show(name) {
    layer = name;
    const letters = isLatin ? "ABC" : own.letters[0][0];
    keyboard.setOptions({
      layoutName: name,
      display: {
        ...faces,
        "{digits}": name === "digits" ? letters : "123",
        "{other}": name.startsWith("accent") ? letters : faces["{other}"],
      },
    });
    board.dataset.layer = name;
  }

  function write(text, taken = 0) {
    const said = field.value;
    const whole = field.selectionStart === null; // a number has no place to write at
    const end = whole ? said.length : field.selectionEnd;
    const start = Math.max(0, (whole ? end : field.selectionStart) - taken);
    const longest = field.maxLength;
    if (longest >= 0 && text.length > end - start && said.length - (end - start) + text.length > longest) return;
    if (whole) field.value = said.slice(0, start) + text;
    else field.setRangeText(text, start, end, "end");
    const inputType = text ? "insertText" : "deleteContentBackward";
    field.dispatchEvent(new InputEvent("input", { bubbles: true, data: text || null, inputType }));
  }

  function last() { // the letter before the caret, where nothing is marked
    const at = field.selectionStart ?? field.value.length;
    return at === (field.selectionEnd ?? at) ? field.value.slice(Math.max(0, at - 1), at) : "";
  }

  function letter(key) {
    const standing = last();
    if (/[ㄱ-ㅣ]/.test(key) && /[ㄱ-ㅣ가-힣]/.test(standing)) {
      return write(Hangul.assemble([...Hangul.disassemble(standing), key]), 1);
    }
    if (VOICED[key]) {
      const voiced = (standing + VOICED[key]).normalize("NFC");
      return voiced.length === 1 ? write(voiced, 1) : undefined;
    }
    write(key);
  }

  function remove() {
    const marked = field.selectionStart !== field.selectionEnd;
    const standing = last();
    if (/[가-힣]/.test(standing)) write(Hangul.assemble(Hangul.disassemble(standing).slice(0, -1)), 1);
    else if (marked || standing) write("", marked ? 0 : Math.max(1, standing.length));
  }

  function press(key) {
    if (!field?.isConnected) return close();
    const base = { capitals: "letters", accentCapitals: "accents" }[layer];
    if (key === "{done}") return close();
    if (key === "{shift}") {
      once = !base;
      return show(base ?? CAPITALS[layer]);
    }
    if (key === "{digits}") return show(layer === "digits" ? "letters" : "digits");
    if (key === "{other}") return show(layer.startsWith("accent") ? "letters" : "accents");
    if (key === "{back}") remove();
    else if (key === "{enter}") write("\n");
    else if (key === "{space}") write(" ");
    else if (key === "{small}") {
      const at = SIZES.findIndex((row) => last() && row.includes(last()));
      if (at >= 0) write(SIZES[1 - at][SIZES[at].indexOf(last())], 1);
    } else letter(key);
    if (once && base && !key.startsWith("{")) {
      once = false;
      show(base);
    }
  }

  /* By Tab and Enter, or by a screen reader: the library hears pointers alone. */
  board.addEventListener("click", ({ detail, target }) => {
    const key = target.closest("[data-skbtn]")?.dataset.skbtn;
    if (detail || !key) return;
    press(key);
    if (field) board.querySelector(`[data-skbtn="${CSS.escape(key)}"]`)?.focus();
  });

  function open(entered) {
    if (field && field !== entered) told();
    field = entered;
    before = field.value;
    /* A tap outside of what is modal is none, or closes it. */
    (field.closest("dialog[open], [popover]") ?? document.body).append(board);
    board.hidden = false;
    board.dataset.lines = field.localName === "textarea" ? "more" : "one";
    const numeric = field.type === "number" || field.inputMode === "numeric";
    const plain = field.type === "password" || field.autocapitalize === "none" || field.spellcheck === false;
    once = isLatin && !plain && !field.value;
    show(numeric ? "digits" : once || field.autocapitalize === "characters" ? "capitals" : plain && !isLatin ? "accents" : "letters");
    /* Room below, so that the last field of a page can be moved above the keys. */
    document.documentElement.style.setProperty("--keyboard", `${board.offsetHeight}px`);
    document.documentElement.classList.add("typing");
    const { top, height } = field.getBoundingClientRect();
    scrollBy(0, top - Math.max(8, (innerHeight - board.offsetHeight - height) / 2));
  }

  function told() { // as a browser does where a field was left that was changed
    if (field.value !== before) field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function close() {
    const left = field;
    if (!left) return;
    board.hidden = true;
    document.documentElement.classList.remove("typing");
    told();
    field = null;
    left.blur();
  }

  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(TEXT) && !target.readOnly) open(target);
    else if (!board.contains(target)) close();
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (target === field && !relatedTarget && document.hasFocus()) close();
  });
  /* Somebody plugged a real one in. */
  document.addEventListener("keydown", (event) => {
    if (field && event.isTrusted && (event.key === "Escape" || event.key.length === 1) && !board.contains(event.target)) {
      board.hidden = true;
      document.documentElement.classList.remove("typing");
    }
  });
  if (document.activeElement?.matches(TEXT)) open(document.activeElement);
})();
