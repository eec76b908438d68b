// Several robots: each is planned alone first. Those whose motions meet form groups (Standley 2010), and only groups are planned
// together: one robot after another in time, as their order of priority has it (Erdmann and Lozano-Pérez 1987), in other orders and
// at other paces after a failure. Groups whose motions meet then are one.
import type { Random } from '../../core/random.js';
import { AT_ONCE, isTrackClear, type Pace, type TeamMember } from './team-member.js';
import type { TeamScenes } from './team-scenes.js';
import type { Track } from './track.js';
import { TrackTraffic } from './track-traffic.js';

/** Chosen: the count of samples of each robot's roadmap in the first round; each round has twice as many. */
const FIRST_SAMPLES = 60;

/** Chosen: the count of orders tried in a round, besides two for each robot. */
const TRIALS = 4;

/** Chosen: a robot of random pace is slower by a factor of up to two to this power. */
const SLOWEST = 2;

/** Chosen: this robot leaves later by up to this multiple of the longest way. */
const LATEST = 1;

/** Robots that are planned together. */
export interface Group {
  readonly members: readonly TeamMember[];
  tracks: readonly Track[] | null;
  /** Trials in vain, and edges and distances that they took. */
  trials: number;
  work: number;
  /** The next order to try, and the motions of the first robots in it. */
  order: readonly TeamMember[];
  kept: readonly Track[];
}

export class TeamSearch {
  readonly #scenes: TeamScenes;
  readonly #random: Random;
  readonly #isOver: () => boolean;
  /** Robots stay free at their goals until this time or longer. */
  #until = 0;
  groups: Group[];

  constructor(scenes: TeamScenes, members: readonly TeamMember[], random: Random, isOver: () => boolean) {
    this.#scenes = scenes;
    this.#random = random;
    this.#isOver = isOver;
    this.groups = members.map((member) => newGroup([member], [member.alone]));
    this.joinGroups();
  }

  /** The tracks of all robots, in their order, if every group has some. */
  get tracks(): readonly Track[] | null {
    if (this.groups.some(({ tracks }) => tracks === null)) return null;
    return this.groups.flatMap(({ tracks }) => tracks!).sort((a, b) => a.robot - b.robot);
  }

  /** Makes groups whose tracks meet into one, which has no tracks then. */
  joinGroups(): void {
    for (let i = 0; i < this.groups.length; i++) {
      for (let k = 0; k < i; k++) {
        const [a, b] = [this.groups[i], this.groups[k]];
        if (!this.#meet(a, b)) continue;
        this.groups[k] = newGroup([...b.members, ...a.members], null);
        this.groups.splice(i, 1);
        i = -1;
        break;
      }
    }
  }

  /** One trial for every group without tracks; groups that meet then are joined. Whether all have tracks. */
  advance(): boolean {
    for (const group of this.groups) {
      if (group.tracks !== null || this.#isOver()) continue;
      const before = this.#scenes.work;
      group.tracks = this.#tryOrder(group);
      group.work += this.#scenes.work - before;
    }
    if (this.groups.some(({ tracks }) => tracks === null)) return false;
    this.joinGroups();
    return this.groups.every(({ tracks }) => tracks !== null);
  }

  /**
   * Makes all robots one group, whose tracks are not proven together.
   * @param until the time until which robots have to stay free at their goals.
   */
  joinAll(until: number): void {
    this.#until = Math.max(this.#until, until);
    const members = this.groups.flatMap((group) => group.members);
    this.groups = [newGroup(members, null)];
  }

  /** Plans a group in one order; if that fails, another one is next. */
  #tryOrder(group: Group): readonly Track[] | null {
    const { members } = group;
    const trial = group.trials++;
    const length = TRIALS + 2 * members.length;
    const round = Math.floor(trial / length);
    if (trial === 0) group.order = this.#firstOrder(members);
    else if (trial % length === 0) Object.assign(group, { order: this.#shuffled(members), kept: [] });
    // The roadmap has the ways alone at first.
    if (trial % length === 1) {
      for (const member of members) member.addSamples(FIRST_SAMPLES * 2 ** round, this.#random);
    }
    const tracks = this.#planInOrder(group.order, group.kept, trial > 1);
    if (tracks.length === members.length) return tracks;
    // The robot that failed comes earlier: first of all the first time, then anywhere; those before it keep their motions.
    const failed = group.order[tracks.length];
    const at = trial % length === 0 ? 0 : this.#random.integer(tracks.length + 1);
    group.order =
      tracks.length === 0
        ? this.#shuffled(members)
        : group.order.filter((member) => member !== failed).toSpliced(at, 0, failed);
    group.kept = tracks.slice(0, at);
    return null;
  }

  /** The tracks of robots in order, of as many as have some; those of the first are kept. */
  #planInOrder(order: readonly TeamMember[], kept: readonly Track[], isRandom: boolean): readonly Track[] {
    const tracks = [...kept];
    const longest = Math.max(...order.map(({ alone }) => alone.arrival));
    for (const member of order.slice(kept.length)) {
      const pace = isRandom ? this.#randomPace(longest) : AT_ONCE;
      const track = member.planAmong(tracks, pace, this.#until, this.#isOver);
      if (track === null) break;
      tracks.push(track);
    }
    return tracks;
  }

  #randomPace(longest: number): Pace {
    const random = this.#random;
    const [slower, delay] = [2 ** random.integer(SLOWEST + 1), random.range(0, LATEST * longest)];
    return random.next() < 0.5 ? { slower, delay: 0 } : { slower: 1, delay: random.next() < 0.5 ? delay : 0 };
  }

  /**
   * A robot that stands in the way of another one has to leave before that comes, and one whose goal is in the way of another has to
   * come after it. Where that is a circle, the longest way is first.
   */
  #firstOrder(members: readonly TeamMember[]): TeamMember[] {
    const before = new Map(members.map((member) => [member, new Set<TeamMember>()]));
    for (const a of members) {
      for (const b of members) {
        if (a === b || this.#isOver()) continue;
        const traffic = new TrackTraffic(this.#scenes, b.index, [a.alone], 0);
        const isBlocked = (q: Float64Array): boolean => {
          const [first] = traffic.safeIntervals(q);
          return first === undefined || first.start > 0 || first.end < traffic.horizon;
        };
        if (isBlocked(b.start)) before.get(a)!.add(b);
        if (isBlocked(b.goal)) before.get(b)!.add(a);
      }
    }
    const left = [...members].sort((a, b) => b.alone.arrival - a.alone.arrival || a.index - b.index);
    const order: TeamMember[] = [];
    while (left.length > 0) {
      const count = (member: TeamMember): number => left.filter((other) => before.get(member)!.has(other)).length;
      const fewest = Math.min(...left.map(count));
      const at = left.findIndex((member) => count(member) === fewest);
      order.push(...left.splice(at, 1));
    }
    return order;
  }

  #shuffled(members: readonly TeamMember[]): TeamMember[] {
    const order = [...members];
    for (let i = order.length - 1; i > 0; i--) {
      const k = this.#random.integer(i + 1);
      [order[i], order[k]] = [order[k], order[i]];
    }
    return order;
  }

  #meet(a: Group, b: Group): boolean {
    if (a.tracks === null || b.tracks === null) return false;
    const last = Math.max(...[...a.tracks, ...b.tracks].map(({ arrival }) => arrival));
    return a.tracks.some((track) => {
      return !isTrackClear(track, new TrackTraffic(this.#scenes, track.robot, b.tracks!, 0), last);
    });
  }
}

function newGroup(members: readonly TeamMember[], tracks: readonly Track[] | null): Group {
  return { members, tracks, trials: 0, work: 0, order: members, kept: [] };
}
