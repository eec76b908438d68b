// The `d` attribute of a path (SVG 2, section 9.3): every command, absolute and relative, repeated and compact.
import { addEllipticalArc } from './elliptical-arc.js';
import type { ShapeBuilder } from './shape-builder.js';
import { type SvgFault, SvgScanner } from './svg-scanner.js';

/** Adds the curves of path data to the builder. Faults are errors: no part of a damaged path is drawn. */
export function addPathData(builder: ShapeBuilder, text: string, fault: SvgFault): void {
  new PathReader(builder, new SvgScanner(text, fault)).read();
}

class PathReader {
  readonly #builder: ShapeBuilder;
  readonly #scanner: SvgScanner;
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;
  /** The last control point of the curve before, if the command before was of this kind. */
  #handleX = 0;
  #handleY = 0;
  #handleOf: 'cubic' | 'quadratic' | '' = '';
  /** Whether the last command closed the subpath: one that is no M starts the next where that began. */
  #closed = false;

  constructor(builder: ShapeBuilder, scanner: SvgScanner) {
    this.#builder = builder;
    this.#scanner = scanner;
  }

  read(): void {
    const scanner = this.#scanner;
    if (scanner.atEnd) return;
    if (!/[Mm]/.test(scanner.next)) scanner.fail('but path data begins with M');
    while (!scanner.atEnd) {
      if (!/[A-Za-z]/.test(scanner.next)) scanner.fail('where a command is needed');
      this.#commands();
    }
  }

  /** One letter with all its repeats. */
  #commands(): void {
    const scanner = this.#scanner;
    if (!/[MLHVCSQTAZ]/i.test(scanner.next)) scanner.fail('which is no command of a path');
    const letter = scanner.take();
    let command = letter.toUpperCase();
    const relative = letter !== command;
    scanner.skipBlanks();
    if (command === 'Z') {
      this.#close();
      return;
    }
    for (let more = true; more; ) {
      this.#command(command, relative);
      // Further pairs after M are lines.
      if (command === 'M') command = 'L';
      const comma = scanner.skipComma();
      more = scanner.startsNumber;
      if (comma && !more) scanner.fail('after a comma, where a number is needed');
    }
  }

  #command(command: string, relative: boolean): void {
    const ox = relative ? this.#x : 0;
    const oy = relative ? this.#y : 0;
    if (command !== 'M' && this.#closed) this.#moveTo(this.#x, this.#y);
    switch (command) {
      case 'M':
        this.#moveTo(ox + this.#number(), oy + this.#lastNumber());
        break;
      case 'L':
        this.#lineTo(ox + this.#number(), oy + this.#lastNumber());
        break;
      case 'H':
        this.#lineTo(ox + this.#lastNumber(), this.#y);
        break;
      case 'V':
        this.#lineTo(this.#x, oy + this.#lastNumber());
        break;
      case 'C':
        this.#cubic(ox + this.#number(), oy + this.#number(), ox, oy);
        break;
      case 'S':
        this.#cubic(...this.#mirrored('cubic'), ox, oy);
        break;
      case 'Q':
        this.#quadratic(ox + this.#number(), oy + this.#number(), ox, oy);
        break;
      case 'T':
        this.#quadratic(...this.#mirrored('quadratic'), ox, oy);
        break;
      default:
        this.#arc(ox, oy);
    }
  }

  #moveTo(x: number, y: number): void {
    this.#builder.moveTo(x, y);
    this.#startX = x;
    this.#startY = y;
    this.#closed = false;
    this.#at(x, y);
  }

  #lineTo(x: number, y: number): void {
    this.#builder.lineTo(x, y);
    this.#at(x, y);
  }

  #cubic(x1: number, y1: number, ox: number, oy: number): void {
    const x2 = ox + this.#number();
    const y2 = oy + this.#number();
    const x = ox + this.#number();
    const y = oy + this.#lastNumber();
    this.#builder.cubicTo(x1, y1, x2, y2, x, y);
    this.#at(x, y, 'cubic', x2, y2);
  }

  #quadratic(x1: number, y1: number, ox: number, oy: number): void {
    const x = ox + this.#number();
    const y = oy + this.#lastNumber();
    this.#builder.quadraticTo(x1, y1, x, y);
    this.#at(x, y, 'quadratic', x1, y1);
  }

  #arc(ox: number, oy: number): void {
    const radii = [this.#number(), this.#number()] as const;
    const tilt = this.#number();
    const large = this.#flag();
    const sweep = this.#flag();
    const x = ox + this.#number();
    const y = oy + this.#lastNumber();
    addEllipticalArc(this.#builder, [this.#x, this.#y], radii, tilt, large, sweep, [x, y]);
    this.#at(x, y);
  }

  #close(): void {
    if (this.#closed) return;
    this.#builder.close();
    this.#at(this.#startX, this.#startY);
    this.#closed = true;
  }

  /** The control point of the curve before, mirrored at its end; without that curve, its end. */
  #mirrored(kind: 'cubic' | 'quadratic'): [number, number] {
    if (this.#handleOf !== kind) return [this.#x, this.#y];
    return [2 * this.#x - this.#handleX, 2 * this.#y - this.#handleY];
  }

  #at(x: number, y: number, kind: 'cubic' | 'quadratic' | '' = '', handleX = 0, handleY = 0): void {
    this.#x = x;
    this.#y = y;
    this.#handleOf = kind;
    this.#handleX = handleX;
    this.#handleY = handleY;
  }

  /** A number with others after it. */
  #number(): number {
    const value = this.#scanner.number();
    this.#scanner.skipComma();
    return value;
  }

  #lastNumber(): number {
    return this.#scanner.number();
  }

  #flag(): boolean {
    const value = this.#scanner.flag();
    this.#scanner.skipComma();
    return value;
  }
}
