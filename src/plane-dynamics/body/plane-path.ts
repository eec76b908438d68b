// The motion of a body on keyframes: straight and even between them, at rest before the first and after the last.

/** A place on a path. */
export interface PlaneKeyframe {
  /** Seconds since the beginning of the simulation. */
  readonly time: number;
  /** x, y, angle of the shape's own frame. */
  readonly pose: ArrayLike<number>;
}

export class PlanePath {
  /** The center of mass and the angle at the time last asked for. */
  x = 0;
  y = 0;
  angle = 0;

  constructor(
    readonly keys: readonly PlaneKeyframe[],
    readonly centerX: number,
    readonly centerY: number,
  ) {}

  moveTo(time: number): void {
    const { keys } = this;
    let after = 0;
    while (after < keys.length && keys[after].time <= time) after++;
    const from = keys[Math.max(0, after - 1)];
    const to = keys[Math.min(keys.length - 1, after)];
    const share = to === from ? 0 : (time - from.time) / (to.time - from.time);
    const angle = from.pose[2] + share * (to.pose[2] - from.pose[2]);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    this.x = from.pose[0] + share * (to.pose[0] - from.pose[0]) + c * this.centerX - s * this.centerY;
    this.y = from.pose[1] + share * (to.pose[1] - from.pose[1]) + s * this.centerX + c * this.centerY;
    this.angle = angle;
  }
}
