// Turns screens of a terminal, as `tmux capture-pane -e` gives them, into one animated SVG. The screens stand below one
// another on a strip that moves; a line that appears on several screens is drawn once. Where nothing moves, one chosen
// screen is shown.

const cell = { width: 8.43, height: 18 };
const padding = 16;
const font = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const ink = "#d0d7de";
const paper = "#11161d";
const palette = ["#6e7681", "#ff7b72", "#5fc77f", "#e3b341", "#79b8ff", "#d2a8ff", "#56c8d8", ink];

/**
 * @param {readonly { readonly ms: number, readonly text: string }[]} screens each with how long it is shown
 * @param {{ columns: number, rows: number, still: number, title: string }} options `still` is shown where nothing moves
 */
export function toSvg(screens, { columns, rows, still, title }) {
  const [width, height] = [columns * cell.width, rows * cell.height];
  const lines = new Map();
  const strip = screens.map(({ text }, index) => screen(text.split("\n").slice(0, rows), index * height, lines));
  const defs = [...lines].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width + 2 * padding)} ${height + 2 * padding}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<desc>${escaped(plainText(screens[still].text))}</desc>
<style>
text{font:14px ${font};fill:${ink};white-space:pre}
path{stroke:#6e7681;stroke-width:1.2;fill:none}
${palette.map((colour, index) => `.c${index}{fill:${colour}}`).join("\n")}
.b{font-weight:700}.d{opacity:.6}.u{text-decoration:underline}
.film{animation:film ${total(screens)}ms step-end infinite}
@keyframes film{${keyframes(screens, height)}}
@media (prefers-reduced-motion:reduce){.film{animation:none}}
</style>
<defs>
${defs.join("\n")}
</defs>
<rect width="100%" height="100%" rx="10" fill="${paper}"/>
<svg x="${padding}" y="${padding}" width="${round(width)}" height="${height}">
<g class="film" transform="translate(0,${-still * height})">
${strip.join("\n")}
</g>
</svg>
</svg>
`;
}

/** The words of a screen, for whoever cannot see it, and for tests. */
function plainText(text) {
  const lines = text.replace(/\x1b\[[\d;]*m/g, "").split("\n");
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}

function total(screens) {
  return screens.reduce((sum, { ms }) => sum + ms, 0);
}

function keyframes(screens, height) {
  const length = total(screens);
  let at = 0;
  return screens
    .map(({ ms }, index) => {
      const percent = round((at / length) * 100, 3);
      at += ms;
      return `${percent}%{transform:translateY(${-index * height}px)}`;
    })
    .join("");
}

function screen(lines, top, known) {
  const used = lines.map((line, row) => {
    const drawn = drawLine(line);
    if (drawn === "") return "";
    if (!known.has(drawn)) known.set(drawn, `l${known.size.toString(36)}`);
    return `<use href="#${known.get(drawn)}" y="${top + row * cell.height}"/>`;
  });
  return used.join("");
}

function drawLine(line) {
  let column = 0;
  let drawn = "";
  for (const { text, style } of runs(line)) {
    for (const piece of pieces(text)) {
      drawn += draw(piece, style, column);
      column += widthOf(piece);
    }
  }
  return drawn;
}

/** Texts with the style they are in. */
function* runs(line) {
  let style = plain;
  for (const [, codes, text] of `\x1b[m${line}`.matchAll(/\x1b\[([\d;]*)m([^\x1b]*)/g)) {
    style = readCodes(codes).reduce(restyled, style);
    if (text !== "") yield { text, style };
  }
}

/** A colour of its own is several numbers; it is read as one word. What is behind a text is not drawn. */
function readCodes(codes) {
  const words = codes.replace(/\b([34]8);(?:2;(\d+);(\d+);(\d+)|5;(\d+))/g, (_all, where, red, green, blue, index) => {
    if (where === "48") return "49";
    return index === undefined ? `#${[red, green, blue].map(hex).join("")}` : indexed(Number(index));
  });
  return words.split(";");
}

function hex(number) {
  return Number(number).toString(16).padStart(2, "0");
}

/** One of the 256 colours: the palette, a cube of six levels a side, and greys. */
function indexed(index) {
  if (index < 16) return String(index < 8 ? 30 + index : 82 + index);
  if (index >= 232) return `#${hex(8 + (index - 232) * 10).repeat(3)}`;
  const levels = [36, 6, 1].map((side) => Math.floor((index - 16) / side) % 6);
  return `#${levels.map((level) => hex(level === 0 ? 0 : 55 + level * 40)).join("")}`;
}

const plain = { colour: undefined, bold: false, dim: false, underline: false };

function restyled(style, code) {
  if (code.startsWith("#")) return { ...style, colour: code };
  const number = Number(code || 0);
  if (number === 0) return plain;
  if (number === 1) return { ...style, bold: true };
  if (number === 2) return { ...style, dim: true };
  if (number === 4) return { ...style, underline: true };
  if (number === 22) return { ...style, bold: false, dim: false };
  if (number === 24) return { ...style, underline: false };
  if (number === 39) return { ...style, colour: undefined };
  const colour = number >= 90 ? number - 90 : number - 30;
  return colour >= 0 && colour < palette.length ? { ...style, colour } : style;
}

/** Lines of boxes and characters of two cells stand alone: only so does every character stay in its column. */
function pieces(text) {
  return text.match(/─+|[│└┌┐┘├]|\p{Extended_Pictographic}\uFE0F?|[^│└┌┐┘├─\p{Extended_Pictographic}]+/gu) ?? [];
}

const narrow = new Set([..."✓✗★▲●◇→"]);

function widthOf(piece) {
  if (narrow.has(piece) || !/^\p{Emoji_Presentation}/u.test(piece)) return [...piece].length;
  return 2;
}

/** Drawn, not written: fonts leave gaps between lines. */
const boxes = {
  "│": "v18",
  "├": "v18m0-9h4.2",
  "└": "v9h4.2",
  "┘": "v9h-4.2",
  "┌": "m0 18v-9h4.2",
  "┐": "m0 18v-9h-4.2",
};

function draw(piece, style, column) {
  if (piece.startsWith("─")) return `<path d="M${round(column * cell.width)} 9h${round(piece.length * cell.width)}"/>`;
  if (boxes[piece]) return `<path d="M${round((column + 0.5) * cell.width)} 0${boxes[piece]}"/>`;
  const text = piece.trim();
  if (text === "") return "";
  // Spaces in front are a place, not a text: some programs drop them.
  const indent = piece.length - piece.trimStart().length;
  const classes = classesOf(style);
  const kind = `${classes === "" ? "" : ` class="${classes}"`}${ownColour(style)}`;
  const x = round((column + indent) * cell.width);
  return `<text x="${x}" y="13.5" xml:space="preserve"${kind}${stretchOf(text)}>${escaped(text)}</text>`;
}

/** Holds a text to its columns whatever the font; a picture of two cells is not stretched. */
function stretchOf(text) {
  if (widthOf(text) !== [...text].length) return "";
  return ` textLength="${round(widthOf(text) * cell.width)}" lengthAdjust="spacingAndGlyphs"`;
}

function classesOf({ colour, bold, dim, underline }) {
  const classes = [
    typeof colour === "number" ? `c${colour}` : "",
    bold ? "b" : "",
    dim ? "d" : "",
    underline ? "u" : "",
  ];
  return classes.filter(Boolean).join(" ");
}

function ownColour({ colour }) {
  return typeof colour === "string" ? ` style="fill:${colour}"` : "";
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}

function round(number, digits = 1) {
  return Number(number.toFixed(digits));
}
