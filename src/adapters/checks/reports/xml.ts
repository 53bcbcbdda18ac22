// XML as test runners write it, piece by piece.

import { SaxesParser, type SaxesTagPlain } from "saxes";
import { CutShort } from "./cut-short.ts";

export interface XmlListener {
  open(tag: SaxesTagPlain): void;
  close(name: string): void;
  text(text: string): void;
}

/** A step for each piece that the listener has heard. Throws what is wrong with the text. */
export function* readXml(xml: string, listener: XmlListener): Iterable<void> {
  const parser = new SaxesParser();
  let isAtEnd = false;
  parser.on("error", (error) => {
    const what = `it is not XML: ${error.message.split("\n")[0]}`;
    throw isAtEnd ? new CutShort(what) : new Error(what);
  });
  parser.on("opentag", (tag) => listener.open(tag));
  parser.on("closetag", ({ name }) => listener.close(name));
  parser.on("text", (text) => listener.text(text));
  parser.on("cdata", (text) => listener.text(text));
  const clean = asXml(xml);
  for (let at = 0; at < clean.length; at += atOnce) {
    parser.write(clean.slice(at, at + atOnce));
    yield;
  }
  isAtEnd = true;
  parser.close();
}

const atOnce = 64 * 1024;

/** Tests print what XML cannot hold: colours, control characters, as they are or as references. */
function asXml(text: string): string {
  if (!forbidden.test(text)) return text;
  const asReference = (whole: string, hex: string | undefined, decimal: string | undefined): string =>
    isForbidden(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ? "" : whole;
  return text
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (sign) => (isForbidden(sign.codePointAt(0) ?? 0) ? "" : sign))
    .replaceAll(/&#(?:x([0-9a-f]+)|([0-9]+));/gi, asReference);
}

/** A sign of what has to go, in one quick look: most reports are fine as they are, and some are large. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]|&#/u;

const isForbidden = (code: number): boolean =>
  (code < 0x20 && ![0x9, 0xa, 0xd].includes(code)) || code === 0xfffe || code === 0xffff || code > 0x10ffff;
