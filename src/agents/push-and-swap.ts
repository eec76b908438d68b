// Moves tokens on a graph, one at a time along one edge, from their places to others (after Luna and Bekris 2011, Push and
// Swap). A token goes its shortest way; what stands in its way is pushed aside, or changes places with it at a node with
// three neighbors or more, after which all others are back where they were. Finds a plan where swaps have room, not always
// the shortest one.

/** A move of a token along an edge. */
export interface TokenMove {
  readonly token: number;
  readonly from: number;
  readonly to: number;
}

/** Chosen: how often a token may be led on average. */
const ROUNDS = 8;

/** Chosen: a plan is given up after this count of moves. */
const MAX_MOVES = 20_000;

/**
 * The moves that bring all tokens from `starts` to `goals`; null if none are found.
 * @param neighbors of each node.
 */
export function pushAndSwap(
  neighbors: readonly (readonly number[])[],
  starts: readonly number[],
  goals: readonly number[],
): TokenMove[] | null {
  return new TokenBoard(neighbors, starts).solve(goals);
}

class TokenBoard {
  readonly #neighbors: readonly (readonly number[])[];
  /** By node: the token there; −1 if it is empty. By token: its node. */
  readonly #tokens: Int32Array;
  readonly #places: Int32Array;
  /** Ends beside nodes where tokens can be exchanged. */
  readonly #bays: readonly number[];
  #moves: TokenMove[] = [];

  constructor(neighbors: readonly (readonly number[])[], starts: readonly number[]) {
    this.#neighbors = neighbors;
    this.#tokens = new Int32Array(neighbors.length).fill(-1);
    this.#places = Int32Array.from(starts);
    this.#bays = neighbors.flatMap((list, node) => (list.length === 1 && neighbors[list[0]].length >= 3 ? [node] : []));
    for (const [token, node] of starts.entries()) this.#tokens[node] = token;
  }

  solve(goals: readonly number[]): TokenMove[] | null {
    const done = new Set<number>();
    const waiting = this.#order(goals);
    for (let rounds = 0; waiting.length > 0; rounds++) {
      const token = waiting.shift()!;
      const displaced = rounds > ROUNDS * goals.length ? null : this.#lead(token, goals, done);
      if (displaced === null) return null;
      done.add(token);
      for (const other of displaced) {
        done.delete(other);
        waiting.push(other);
      }
    }
    return withoutDetours(this.#moves);
  }

  /** Tokens whose goals are farthest from where swaps are possible come first: those after them need not pass. */
  #order(goals: readonly number[]): number[] {
    const crossings = this.#neighbors.flatMap((list, node) => (list.length >= 3 ? [node] : []));
    const distances = this.#distancesFrom(crossings.length > 0 ? crossings : [0]);
    return goals.map((_, token) => token).sort((a, b) => distances[goals[b]] - distances[goals[a]] || a - b);
  }

  /** Leads a token to its goal. Returns those that were done and are not any more; null if there is no way. */
  #lead(token: number, goals: readonly number[], done: ReadonlySet<number>): number[] | null {
    // Tokens that a swap took from their goals, the last one first.
    const displaced: number[] = [];
    while (this.#places[token] !== goals[token]) {
      const path = this.#path(this.#places[token], (node) => node === goals[token], new Set());
      if (path === null || this.#moves.length > MAX_MOVES) return null;
      const [here, next] = path;
      const other = this.#tokens[next];
      if (other >= 0) {
        const fixed = new Set([here]);
        for (const finished of done) fixed.add(this.#places[finished]);
        // One that has to get past this token would only be pushed farther from its goal.
        const wantsPast = this.#path(next, (node) => node === goals[other], new Set())?.[1] === here;
        const canPush = !done.has(other) && !wantsPast;
        if (!(canPush && this.#clear(next, fixed)) && !this.#swap(token, other)) {
          if (done.has(other) || !this.#clear(next, fixed)) return null;
        } else if (this.#tokens[next] === token) {
          if (done.has(other)) displaced.push(other);
          continue;
        }
      }
      this.#move(token, next);
      // What was taken from its goal for this token follows it back.
      while (displaced.length > 0) {
        const other = displaced[displaced.length - 1];
        const goal = goals[other];
        if (this.#tokens[goal] >= 0 || !this.#neighbors[goal].includes(this.#places[other])) break;
        this.#move(other, goal);
        displaced.pop();
      }
    }
    return displaced.filter((other) => this.#places[other] !== goals[other]);
  }

  /** Empties a node by moving tokens on towards the nearest empty one, without entering fixed nodes. */
  #clear(node: number, fixed: ReadonlySet<number>): boolean {
    if (this.#tokens[node] < 0) return true;
    const isEmpty = (other: number): boolean => this.#tokens[other] < 0;
    // A token in a bay cannot leave while others exchange before it.
    const path = this.#path(node, isEmpty, new Set([...fixed, ...this.#bays])) ?? this.#path(node, isEmpty, fixed);
    if (path === null) return false;
    for (let i = path.length - 1; i > 0; i--) this.#move(this.#tokens[path[i - 1]], path[i]);
    return true;
  }

  /** Two neighbors change places. */
  #swap(a: number, b: number): boolean {
    const crossings = this.#neighbors.flatMap((list, node) => (list.length >= 3 ? [node] : []));
    const distances = this.#distancesFrom([this.#places[a]]);
    crossings.sort((p, q) => distances[p] - distances[q] || p - q);
    for (const crossing of crossings) {
      if (distances[crossing] === Infinity) continue;
      const [tokens, places, moves] = [this.#tokens.slice(), this.#places.slice(), this.#moves];
      this.#moves = [];
      if (this.#bring(a, b, crossing) && this.#exchange(a, b, crossing)) {
        this.#moves = [...moves, ...this.#moves];
        return true;
      }
      this.#tokens.set(tokens);
      this.#places.set(places);
      this.#moves = moves;
    }
    return false;
  }

  /** Brings one of two neighbors to a node, the other one behind it. */
  #bring(a: number, b: number, to: number): boolean {
    for (let i = 0; this.#places[a] !== to && this.#places[b] !== to; i++) {
      if (i > this.#neighbors.length) return false;
      const way = this.#path(this.#places[a], (node) => node === to, new Set());
      if (way === null) return false;
      const [leader, follower] = way[1] === this.#places[b] ? [b, a] : [a, b];
      const path = leader === a ? way : way.slice(1);
      if (!this.#clear(path[1], new Set([this.#places[a], this.#places[b]]))) return false;
      const behind = this.#places[leader];
      this.#move(leader, path[1]);
      this.#move(follower, behind);
    }
    return true;
  }

  /** With one of the two at a crossing: empties two neighbors of it, exchanges the two, and undoes everything before. */
  #exchange(a: number, b: number, crossing: number): boolean {
    const [first, second] = this.#places[a] === crossing ? [a, b] : [b, a];
    const behind = this.#places[second];
    const sides = this.#neighbors[crossing].filter((node) => node !== behind);
    for (const left of sides) {
      for (const right of sides) {
        if (left === right) continue;
        const [tokens, places, count] = [this.#tokens.slice(), this.#places.slice(), this.#moves.length];
        const isClear =
          this.#clear(left, new Set([crossing, behind])) && this.#clear(right, new Set([crossing, behind, left]));
        if (isClear) {
          const before = this.#moves.slice();
          this.#move(first, left);
          this.#move(second, crossing);
          this.#move(second, right);
          this.#move(first, crossing);
          this.#move(first, behind);
          this.#move(second, crossing);
          // Backwards, with the two in each other's place.
          for (const { token, from } of before.reverse()) this.#move(token === a ? b : token === b ? a : token, from);
          return true;
        }
        this.#tokens.set(tokens);
        this.#places.set(places);
        this.#moves.length = count;
      }
    }
    return false;
  }

  #move(token: number, to: number): void {
    const from = this.#places[token];
    this.#tokens[from] = -1;
    this.#tokens[to] = token;
    this.#places[token] = to;
    this.#moves.push({ token, from, to });
  }

  /** The shortest path to a node that a test accepts, that passes no closed node, or null. */
  #path(from: number, accepts: (node: number) => boolean, closed: ReadonlySet<number>): number[] | null {
    const before = new Int32Array(this.#neighbors.length).fill(-1);
    before[from] = from;
    const queue = [from];
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i];
      if (node !== from && accepts(node)) {
        const path = [node];
        while (path[path.length - 1] !== from) path.push(before[path[path.length - 1]]);
        return path.reverse();
      }
      for (const next of this.#neighbors[node]) {
        if (before[next] >= 0 || closed.has(next)) continue;
        before[next] = node;
        queue.push(next);
      }
    }
    return null;
  }

  #distancesFrom(nodes: readonly number[]): Float64Array {
    const distances = new Float64Array(this.#neighbors.length).fill(Infinity);
    for (const node of nodes) distances[node] = 0;
    const queue = [...nodes];
    for (let i = 0; i < queue.length; i++) {
      for (const next of this.#neighbors[queue[i]]) {
        if (distances[next] < Infinity) continue;
        distances[next] = distances[queue[i]] + 1;
        queue.push(next);
      }
    }
    return distances;
  }
}

/** Leaves out moves to a node and back, where no other token enters the node left meanwhile. */
export function withoutDetours(moves: readonly TokenMove[]): TokenMove[] {
  let list = [...moves];
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    const kept: (TokenMove | null)[] = list;
    /** By token: its last move that is kept. */
    const last = new Map<number, number>();
    /** By node: the last move that enters it. */
    const entered = new Map<number, number>();
    for (let i = 0; i < list.length; i++) {
      const { token, from, to } = list[i];
      const before = last.get(token);
      const back = before === undefined ? null : kept[before];
      if (
        before !== undefined &&
        back !== null &&
        back.from === to &&
        back.to === from &&
        !((entered.get(to) ?? -1) > before)
      ) {
        kept[before] = kept[i] = null;
        last.delete(token);
        hasChanged = true;
        continue;
      }
      last.set(token, i);
      entered.set(to, i);
    }
    list = kept.filter((move) => move !== null);
  }
  return list;
}
