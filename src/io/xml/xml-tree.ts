// An XML document as a tree of elements with their lines, parsed by saxes: strict, with no entities of its own or, where
// asked for, with short ones that contain no others, so that nothing can grow beyond its file a thousandfold.
import { SaxesParser } from 'saxes';
import { NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import type { ReadOptions } from '../model/read-options.js';

/** Chosen: levels of nested elements; a file with more is not a model. */
const MAX_DEPTH = 256;

/** Chosen: characters between two reports of progress. */
const CHUNK = 2 ** 20;

/** Chosen: characters of the longest entity. Drawing programs declare the addresses of their namespaces. */
const MAX_ENTITY = 256;

/** An element: what is inside it, in order. */
export class XmlElement {
  /** Without its prefix. */
  readonly name: string;
  /** The namespace prefix, or nothing. */
  readonly prefix: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Where its tag ends, counted from 1. */
  readonly line: number;
  readonly children: XmlElement[] = [];
  /** The text directly inside. */
  text = '';

  constructor(name: string, attributes: Readonly<Record<string, string>>, line: number) {
    const colon = name.lastIndexOf(':');
    this.name = name.slice(colon + 1);
    this.prefix = name.slice(0, Math.max(0, colon));
    this.attributes = attributes;
    this.line = line;
  }

  /** The first child of this name. */
  child(name: string): XmlElement | undefined {
    return this.children.find((child) => child.name === name);
  }

  /** The children of this name. */
  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The first child of this name; throws if it is missing. */
  need(name: string): XmlElement {
    return this.child(name) ?? this.fail('file-format', `<${this.name}> has no <${name}>`);
  }

  /** An attribute; throws if it is missing. */
  attribute(name: string): string {
    return this.attributes[name] ?? this.fail('file-format', `<${this.name}> has no attribute "${name}"`);
  }

  /** An attribute that is a whole number from 0. */
  count(name: string, fallback?: number): number {
    const text = this.attributes[name];
    if (text === undefined && fallback !== undefined) return fallback;
    const value = Number(this.attribute(name));
    if (Number.isSafeInteger(value) && value >= 0) return value;
    return this.fail(
      'file-format',
      `the attribute "${name}" of <${this.name}> is "${text}", not a whole number from 0`,
    );
  }

  /** The numbers in the text, separated by blanks. */
  numbers(): Float64Array {
    const { text } = this;
    let values = new Float64Array(Math.max(4, text.length >> 2));
    let count = 0;
    for (let at = 0; at < text.length; ) {
      if (text.charCodeAt(at) <= 32) {
        at++;
        continue;
      }
      let end = at + 1;
      while (end < text.length && text.charCodeAt(end) > 32) end++;
      const word = text.slice(at, end);
      const value = Number(word);
      if (Number.isNaN(value)) {
        const finite = !/^[+-]?(nan|inf(inity)?)$/i.test(word);
        this.fail(finite ? 'file-format' : 'non-finite', `"${word}" in <${this.name}> is not a finite number`);
      }
      if (count === values.length) {
        const grown = new Float64Array(2 * count);
        grown.set(values);
        values = grown;
      }
      values[count++] = value;
      at = end;
    }
    return values.subarray(0, count);
  }

  /** Throws an error that names the line. */
  fail(code: NearfieldErrorCode, message: string): never {
    throw new NearfieldError(code, `line ${this.line}: ${message}.`, { line: this.line });
  }
}

/** What {@link scanXml} tells while it goes through a document. */
export interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>, line: number) => void;
  readonly text?: ((part: string) => void) | undefined;
  readonly close?: (() => void) | undefined;
}

/**
 * The root element of a document. Names lose their namespace prefix.
 * @param allow whether the document may declare entities.
 */
export function parseXml(file: string | Uint8Array, options: ReadOptions, allow = { entities: false }): XmlElement {
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  const handlers: XmlHandlers = {
    open: (name, attributes, line) => {
      const element = new XmlElement(name, attributes, line);
      if (open.length === 0) root = element;
      else open[open.length - 1].children.push(element);
      open.push(element);
    },
    text: (part) => {
      if (open.length > 0) open[open.length - 1].text += part;
    },
    close: () => {
      open.pop();
    },
  };
  scanXml(file, options, handlers, allow);
  return root!;
}

/** Goes through a document without keeping it. Names have their namespace prefix. */
export function scanXml(
  file: string | Uint8Array,
  options: ReadOptions,
  handlers: XmlHandlers,
  allow = { entities: false },
): void {
  const text = typeof file === 'string' ? file.replace(/^\uFEFF/, '') : new TextDecoder().decode(file);
  const parser = new SaxesParser();
  let depth = 0;
  const fail = (code: NearfieldErrorCode, message: string): never => {
    throw new NearfieldError(code, `line ${parser.line}: ${message}.`, { line: parser.line });
  };
  parser.on('error', (error) => {
    const message = error.message.replace(/^(\d+:)*\s*/, '').replace(/\.$/, '');
    if (/unclosed tag|document must contain a root element|unexpected end/i.test(message)) {
      fail('file-truncated', `the XML ends too early (${message}); the file is truncated; copy it again`);
    }
    fail('file-format', `the XML is damaged: ${message}`);
  });
  if (allow.entities) {
    parser.on('doctype', (doctype) => {
      for (const [, name, quoted] of doctype.matchAll(/<!ENTITY\s+([\w.-]+)\s+("[^"]*"|'[^']*')\s*>/g)) {
        const value = quoted.slice(1, -1);
        if (value.includes('&')) fail('unsupported', `the entity "${name}" contains others; write them out`);
        if (value.length > MAX_ENTITY) fail('too-large', `the entity "${name}" is longer than ${MAX_ENTITY}`);
        parser.ENTITIES[name] = value;
      }
    });
  }
  parser.on('opentag', ({ name, attributes }) => {
    if (depth >= MAX_DEPTH) fail('too-large', `elements are nested deeper than ${MAX_DEPTH}`);
    depth++;
    handlers.open(name, attributes, parser.line);
  });
  if (handlers.text !== undefined) {
    parser.on('text', handlers.text);
    parser.on('cdata', handlers.text);
  }
  parser.on('closetag', () => {
    depth--;
    handlers.close?.();
  });
  for (let at = 0; at < text.length; at += CHUNK) {
    reportProgress(options, at / text.length, 'reading XML');
    parser.write(text.slice(at, at + CHUNK));
  }
  parser.close();
}
