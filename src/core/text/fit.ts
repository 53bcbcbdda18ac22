// Fits a value from outside to the shape a schema asks for, where there is one way to do so: a text that is exactly a number, one
// value where a list is due, the lines of a text, null for a missing field, a word in another spelling. The schema judges the rest.

import { z } from "zod";
import { parseJson } from "./json.ts";

export type Fitting = { readonly value: unknown; readonly problems: readonly string[]; readonly unknown: boolean };

/** `unknown` says whether an object has a key that the schema does not know, or none at all: a list in its place. */
export function fit(schema: z.ZodType, value: unknown): Fitting {
  const fitter = new Fitter();
  return { value: fitter.fit(shapeOf(schema), value), problems: fitter.problems, unknown: fitter.isUnknown };
}

type Shape = z.core.JSONSchema.BaseSchema;

function shapeOf(schema: z.ZodType): Shape {
  const shape = shapes.get(schema) ?? z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  shapes.set(schema, shape);
  return shape;
}

const shapes = new WeakMap<z.ZodType, Shape>();

class Fitter {
  readonly problems: string[] = [];
  isUnknown = false;

  fit(shape: Shape | boolean | undefined, value: unknown): unknown {
    if (typeof shape !== "object") return value;
    const choices = shape.anyOf ?? shape.oneOf;
    if (choices) return this.#choose(choices, value);
    if (shape.type === "array") return this.#list(shape, value);
    const one = this.#alone(shape, value);
    const allowed = shape.enum ?? (shape.const === undefined ? undefined : [shape.const]);
    if (allowed) return sameWord(allowed, one);
    if (shape.type === "object") return this.#object(shape, one);
    return scalar(shape.type, one);
  }

  /** The one item of a list. A list where an object is due that consists of nothing but that list is its content. */
  #alone(shape: Shape, value: unknown): unknown {
    if (!Array.isArray(value)) return value;
    const name = onlyList(shape);
    if (name === undefined) return value.length === 1 ? value[0] : value;
    if (value.length === 1 && isRecord(value[0]) && Object.hasOwn(value[0], name)) return value[0];
    this.isUnknown = true;
    return { [name]: value };
  }

  #list({ items }: Shape, value: unknown): unknown {
    if (value === undefined || value === null) return value;
    const parsed = typeof value === "string" ? parseJson(value) : undefined;
    const given = parsed?.ok && Array.isArray(parsed.value) ? parsed.value : value;
    const item = Array.isArray(items) ? items[0] : items;
    return (Array.isArray(given) ? given : [given]).map((each) => this.fit(item, each));
  }

  /** The branch whose fixed words and required fields the value has, if it is one alone. */
  #choose(choices: readonly (Shape | boolean)[], value: unknown): unknown {
    const shapes = choices.filter((choice) => typeof choice === "object");
    if (value === null) return value;
    if (!isRecord(value)) return shapes.reduce<unknown>((fitted, shape) => this.#whereScalar(shape, fitted), value);
    const fitting = shapes.filter((shape) => shape.type === "object" && hasWhatItTakes(shape, value));
    const known = fitting.filter((shape) => Object.keys(value).every((key) => propertyOf(shape, key) !== undefined));
    const [first] = fitting.length === 1 ? fitting : known.length === 1 ? known : fitting;
    return first ? this.#object(first, value) : value;
  }

  #whereScalar(shape: Shape, value: unknown): unknown {
    return shape.type === "object" || shape.type === "array" ? value : this.fit(shape, value);
  }

  #object(shape: Shape, value: unknown): unknown {
    if (!isRecord(value)) return value;
    const fields = new Map<string, unknown>();
    for (const [said, given] of Object.entries(value)) {
      const key = propertyOf(shape, said) ?? said;
      if (shape.properties?.[key] === undefined) this.isUnknown = true;
      const property = shape.properties?.[key];
      if (given === null && !takesNull(property)) continue;
      const fitted = this.fit(property, given);
      if (fields.has(key) && JSON.stringify(fields.get(key)) !== JSON.stringify(fitted))
        this.problems.push(`"${key}" is given twice, in two spellings, with different values`);
      fields.set(key, fitted);
    }
    for (const [key, property] of Object.entries(shape.properties ?? {}))
      if (typeof property === "object" && property.const !== undefined && !fields.has(key))
        fields.set(key, property.const);
    return Object.fromEntries(fields);
  }
}

/** The field of an object that is a list, if everything else in it is fixed. */
function onlyList({ type, properties = {} }: Shape): string | undefined {
  const open = Object.entries(properties).filter(([, said]) => typeof said !== "object" || said.const === undefined);
  const [first, ...more] = open;
  const isList = type === "object" && more.length === 0 && typeof first?.[1] === "object" && first[1].type === "array";
  return isList ? first?.[0] : undefined;
}

function scalar(type: Shape["type"], value: unknown): unknown {
  if ((type === "integer" || type === "number") && typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()))
    return Number(value);
  if (type === "boolean" && typeof value === "string" && /^(true|false)$/i.test(value.trim()))
    return value.trim().toLowerCase() === "true";
  if (type === "string" && Number.isSafeInteger(value)) return `${value}`;
  if (type === "string" && isLines(value)) return value.join("\n");
  return value;
}

/** A text as a list of its lines. */
function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === "string");
}

/** The allowed word that differs in case, space, underscore or hyphen alone. */
function sameWord(allowed: readonly unknown[], value: unknown): unknown {
  if (typeof value !== "string" || allowed.includes(value)) return value;
  const found = allowed.filter((word) => typeof word === "string" && spelling(word) === spelling(value));
  return found.length === 1 ? found[0] : value;
}

const spelling = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "");

/** The property that a key names, however it is spelled. */
function propertyOf({ properties = {} }: Shape, key: string): string | undefined {
  if (Object.hasOwn(properties, key)) return key;
  return Object.keys(properties).find((known) => spelling(known) === spelling(key));
}

function hasWhatItTakes(shape: Shape, value: Readonly<Record<string, unknown>>): boolean {
  const given = new Map(Object.entries(value).map(([key, said]) => [propertyOf(shape, key) ?? key, said]));
  return Object.entries(shape.properties ?? {}).every(([key, property]) => {
    if (typeof property === "object" && property.const !== undefined)
      return !given.has(key) || sameWord([property.const], given.get(key)) === property.const;
    return !shape.required?.includes(key) || given.has(key);
  });
}

function takesNull(shape: Shape | boolean | undefined): boolean {
  if (typeof shape !== "object") return false;
  return shape.type === "null" || (shape.anyOf ?? shape.oneOf ?? []).some(takesNull);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
