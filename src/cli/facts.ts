// One description of an answer, from which both its JSON and its table for people are made.
import { labeled } from './table.js';

/** A fact of an answer. */
export interface Fact {
  /** Its label and its value for people; absent: JSON only. An empty label continues the row above. */
  readonly row?: readonly [label: string, value: string] | undefined;
  /** Its fields in JSON; absent: for people only. */
  readonly json?: object | undefined;
}

/** The fields of all facts, in their order. */
export function factsAsJson(facts: readonly Fact[]): object {
  return Object.assign({}, ...facts.map(({ json }) => json));
}

/** The rows of all facts, in their order. */
export function factsAsText(facts: readonly Fact[]): string {
  return labeled(facts.flatMap(({ row }) => (row === undefined ? [] : [row])));
}
