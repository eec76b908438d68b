// Holds the drawn objects and updates them call by call: the n-th mesh of a draw is compared with the n-th mesh of the
// previous draw and kept if nothing changed. Objects that a draw does not repeat are removed at its end.
import { type Box, type ReadonlyPose, type ReadonlyVec3, type Vec3, vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { Color, Group, LineBasicMaterial, LineSegments, type Object3D, Plane, Mesh as ThreeMesh, Vector3 } from 'three';
import { arrow } from './arrow.js';
import { Frame, sameBox } from './frame.js';
import { ground } from './ground.js';
import { type ColorImage, imagePlane } from './image.js';
import { lines } from './lines.js';
import { rim } from './outline.js';
import { type ColorName, colorOf, type Theme } from './palette.js';
import { type Picture, type PictureStyle, picturePlane } from './picture.js';
import { pointGeometry, roundPoints } from './points.js';
import { type RegionStyle, type Regions, regionPlane } from './regions.js';
import { clearSky, type Sky, shadowCaster } from './sky.js';
import { type Slice, type SliceStyle, slicePlane } from './slice.js';
import { cornerColors, type SurfaceGeometry, surfaceGeometry, surfaceMaterial } from './surface.js';
import type { CutPlane, Grip, LineStyle, MeshStyle, Named, Pen, PointStyle, View } from './view.js';

/** Outlines are darker by this factor than what they are of; lines along sharp edges are let through a little. */
const OUTLINE_SHADE = 0.22;
const EDGE_OPACITY = 0.6;
/** In the dark the ground is a little lit, else no shadow would show on it. */
const DARK_GLOW = 0.3;
/** Larger meshes have no outline: it costs as much as the surface. */
const MAX_FOR_RIM = 250_000;

interface Built {
  readonly object: Object3D;
  dispose(): void;
  /** Shows other data in the same style, as from frame to frame; materials that live on need not be compiled again. */
  show?(data: unknown): void;
}

interface Item extends Built {
  readonly inputs: readonly unknown[];
  readonly legend: LegendEntry | null;
  data: unknown;
  grip: Grip | null;
}

export interface LegendEntry {
  readonly name: string;
  readonly color: string;
}

export interface Handle {
  readonly point: Vec3;
  moved(point: Vec3): void;
  /** Of the plane that it moves in; null for the one that faces the camera. */
  readonly normal: Vec3 | null;
}

export interface Sheet {
  readonly point: Vec3;
  readonly normal: Vec3;
  readonly pen: Pen;
}

export interface HeldObject {
  readonly object: Object3D;
  readonly grip: Grip;
}

export interface Label {
  readonly point: Vec3;
  readonly text: string;
}

export class Drawing implements View {
  readonly root = new Group();
  currentFrame = new Frame({ min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] });
  readonly #items = new Map<string, Item>();
  #repeated = new Set<string>();
  #counts = new Map<string, number>();
  readonly #surfaces = new Map<Mesh, { geometry: SurfaceGeometry; uses: number }>();
  readonly #handles: Handle[] = [];
  readonly #labels: Label[] = [];
  readonly #sheets: Sheet[] = [];

  constructor(
    readonly theme: Theme,
    readonly pixelRatio: number,
    readonly changed: () => void,
    readonly sky: Sky = clearSky(),
  ) {}

  /** A sheet of paper: a box without depth. It has no ground, no shadow, and no line of it is hidden. */
  get isFlat(): boolean {
    const { min, max } = this.currentFrame.box;
    return min[2] === max[2];
  }

  get handles(): readonly Handle[] {
    return this.#handles;
  }

  /** What the pointer can take hold of. */
  get held(): HeldObject[] {
    return [...this.#items.values()].flatMap(({ object, grip }) => (grip === null ? [] : [{ object, grip }]));
  }

  /** Whether nothing but the ground is drawn. */
  get isEmpty(): boolean {
    return [...this.#items.keys()].every((key) => key.startsWith('ground'));
  }

  get sheets(): readonly Sheet[] {
    return this.#sheets;
  }

  get labels(): readonly Label[] {
    return this.#labels;
  }

  get legend(): LegendEntry[] {
    const entries = new Map<string, LegendEntry>();
    for (const { legend } of this.#items.values()) if (legend !== null) entries.set(legend.name, legend);
    return [...entries.values()];
  }

  begin(): void {
    this.#repeated = new Set();
    this.#counts = new Map();
  }

  end(): void {
    for (const key of [...this.#items.keys()]) if (!this.#repeated.has(key)) this.#remove(key);
    this.#handles.length = this.#counts.get('handle') ?? 0;
    this.#labels.length = this.#counts.get('label') ?? 0;
    this.#sheets.length = this.#counts.get('sheet') ?? 0;
    this.changed();
  }

  clear(): void {
    for (const key of [...this.#items.keys()]) this.#remove(key);
    this.#handles.length = 0;
    this.#labels.length = 0;
    this.#sheets.length = 0;
    this.changed();
  }

  frame(box: Box): void {
    if (!sameBox(box, this.currentFrame.box)) {
      this.clear();
      this.currentFrame = new Frame(box);
    }
    if (this.isFlat) return;
    this.#place('ground', [this.currentFrame], null, null, () => {
      const look = {
        color: colorOf('ground', this.theme),
        shadow: colorOf('shadow', this.theme),
        glow: this.theme === 'dark' ? DARK_GLOW : 0,
      };
      const grid = ground(look, this.sky);
      grid.position.y = this.currentFrame.toView(box.min)[1] - 0.002;
      return { object: grid, dispose: () => disposeOf(grid) };
    });
  }

  addMesh(mesh: Mesh, style: MeshStyle = {}): void {
    const {
      color = 'surface',
      faceColors,
      shading = 'flat',
      opacity = 1,
      cut = null,
      pose,
      inFront = false,
      scale = 1,
    } = style;
    const inputs = [mesh, color, faceColors, shading, opacity, cutKey(cut), inFront, scale];
    const item = this.#place('mesh', inputs, pose, this.#legendEntry(style, color), () => {
      // Colors are a part of the geometry, which is then this item's alone.
      const own = faceColors === undefined ? null : surfaceGeometry(mesh);
      if (faceColors !== undefined) own?.triangles.setAttribute('ownColor', cornerColors(faceColors));
      const surface = own ?? this.#takeSurface(mesh);
      const wireframe = shading === 'wireframe';
      const front = colorOf(color, this.theme);
      const back = color === 'surface' ? colorOf('back', this.theme) : front;
      const seenCut = cut && this.#cutInView(cut);
      const look = { color: front, ownColors: own !== null, backColor: back, opacity, cut: seenCut, inFront };
      const group = new Group();
      group.add(
        new ThreeMesh(
          surface.triangles,
          surfaceMaterial({ ...look, shading: wireframe ? 'smooth' : shading }, this.sky),
        ),
      );
      const lit = shading !== 'unlit' && !this.isFlat;
      if (lit) group.add(shadowCaster(surface.triangles, opacity, seenCut));
      const dark = new Color(own === null ? front : colorOf('edges', this.theme)).multiplyScalar(OUTLINE_SHADE);
      if (lit && opacity === 1 && mesh.indices.length <= 3 * MAX_FOR_RIM) {
        surface.prepareRim();
        group.add(rim(surface.triangles, { color: dark, cut: seenCut }, this.sky));
      }
      const edges = wireframe ? surface.edges() : lit ? surface.sharpEdges() : null;
      if (edges !== null) {
        const pen = wireframe
          ? new LineBasicMaterial({ color: colorOf('edges', this.theme) })
          : new LineBasicMaterial({
              color: dark,
              transparent: true,
              depthWrite: false,
              opacity: EDGE_OPACITY * Math.sqrt(opacity),
            });
        pen.clippingPlanes = this.#clippingPlanes(cut);
        group.add(new LineSegments(edges, pen));
      }
      group.matrixAutoUpdate = false;
      return {
        object: group,
        show: (placed) => {
          group.matrix.copy(this.currentFrame.matrixFrom(surface.frame, placed as ReadonlyPose | undefined, scale));
        },
        dispose: () => {
          for (const part of group.children) (part as ThreeMesh<never, LineBasicMaterial>).material.dispose();
          if (own !== null) own.dispose();
          else this.#releaseSurface(mesh);
        },
      };
    });
    item.grip = style.grip ?? null;
  }

  addLines(segments: ArrayLike<number>, style: LineStyle = {}): void {
    if (segments.length === 0) return;
    const { color = 'edges', endColors, width = 1.5, onTop = false, halo = false, cut = null } = style;
    this.#place(
      'lines',
      [color, endColors, width, onTop, halo, cutKey(cut)],
      segments,
      this.#legendEntry(style, color),
      () => {
        const built = lines({
          color: endColors === undefined ? colorOf(color, this.theme) : '#ffffff',
          endColors: endColors ?? null,
          width,
          halo: halo ? colorOf('halo', this.theme) : null,
          ...this.#lineLook(onTop, cut),
        });
        return { ...built, show: (shown) => built.show(this.currentFrame.toViewArray(shown as ArrayLike<number>)) };
      },
    );
  }

  addPoints(positions: ArrayLike<number>, style: PointStyle = {}): void {
    if (positions.length === 0) return;
    const { color = 'probe', size = 6, onTop = false } = style;
    this.#place('points', [color, size, onTop], positions, this.#legendEntry(style, color), () => {
      const points = roundPoints({ color: colorOf(color, this.theme), size, onTop, pixelRatio: this.pixelRatio });
      points.renderOrder = onTop ? 3 : 1;
      const show = (shown: unknown): void => {
        points.geometry.dispose();
        points.geometry = pointGeometry(this.currentFrame.toViewArray(shown as ArrayLike<number>));
      };
      return { object: points, dispose: () => disposeOf(points), show };
    });
  }

  addArrow(from: ReadonlyVec3, to: ReadonlyVec3, style: LineStyle = {}): void {
    if (vec3.distance(from, to) === 0) return;
    const { color = 'probe', width = 3, onTop = false, cut = null } = style;
    const ends = [from[0], from[1], from[2], to[0], to[1], to[2]];
    this.#place('arrow', [color, width, onTop, cutKey(cut)], ends, this.#legendEntry(style, color), () => {
      const { show, ...built } = arrow({ color: colorOf(color, this.theme), width, ...this.#lineLook(onTop, cut) });
      return { ...built, show: (shown) => show(this.currentFrame.toViewArray(shown as ArrayLike<number>)) };
    });
  }

  addSlice(slice: Slice, style: SliceStyle & Named): void {
    this.#place('slice', [slice, style.shows, style.spacing], null, this.#legendEntry(style, 'inside'), () => {
      const colors = {
        inside: colorOf('inside', this.theme),
        outside: colorOf('outside', this.theme),
        contour: colorOf('contour', this.theme),
      };
      return slicePlane(slice, style, this.currentFrame, colors);
    });
  }

  addPicture(picture: Picture, style: PictureStyle): void {
    this.#place('picture', [picture, style.scale, style.part], null, null, () =>
      picturePlane(picture, style, this.currentFrame),
    );
  }

  addImage(image: ColorImage): void {
    const { corner, across, up, columns, rows } = image;
    const place = [...corner, ...across, ...up, columns, rows].join();
    this.#place('image', [place], image, null, () => {
      const plane = imagePlane(image, this.currentFrame);
      return { ...plane, show: (shown) => plane.show(shown as ColorImage) };
    });
  }

  addRegions(regions: Regions, style: RegionStyle): void {
    const { corner, across, up, columns, rows } = regions;
    const place = [...corner, ...across, ...up, columns, rows].join();
    this.#place('regions', [place, style.shows, style.spacing], regions, null, () => {
      const plane = regionPlane(regions, style, this.currentFrame);
      return { ...plane, show: (shown) => plane.show(shown as Regions) };
    });
  }

  addLabel(point: ReadonlyVec3, text: string): void {
    this.#labels[this.#count('label')] = { point: [point[0], point[1], point[2]], text };
    this.changed();
  }

  addHandle(point: ReadonlyVec3, moved: (point: Vec3) => void, normal?: ReadonlyVec3): void {
    this.addPoints(Float64Array.from(point), { size: 17, color: 'handleRim', onTop: true });
    this.addPoints(Float64Array.from(point), { size: 12, color: 'probe', onTop: true });
    this.#handles[this.#count('handle')] = {
      point: [point[0], point[1], point[2]],
      moved,
      normal: normal === undefined ? null : [normal[0], normal[1], normal[2]],
    };
  }

  addSheet(point: ReadonlyVec3, normal: ReadonlyVec3, pen: Pen): void {
    this.#sheets[this.#count('sheet')] = {
      point: [point[0], point[1], point[2]],
      normal: [normal[0], normal[1], normal[2]],
      pen,
    };
    this.changed();
  }

  #legendEntry({ name }: Named, color: ColorName): LegendEntry | null {
    return name === undefined ? null : { name, color: colorOf(color, this.theme) };
  }

  /** What is on top is drawn dashed where a surface hides it; on a sheet of paper nothing hides anything. */
  #lineLook(onTop: boolean, cut: CutPlane | null) {
    const { sky } = this;
    const hiding = onTop ? (this.isFlat ? 'shown' : 'dashed') : 'hidden';
    return { hiding, clippingPlanes: this.#clippingPlanes(cut), dashScale: sky.dashScale } as const;
  }

  #clippingPlanes(cut: CutPlane | null): Plane[] {
    if (cut === null) return [];
    const [x, y, z, offset] = this.#cutInView(cut);
    return [new Plane(new Vector3(-x, -y, -z), offset)];
  }

  #cutInView({ normal, point }: CutPlane): [number, number, number, number] {
    const unit = vec3.normalize(normal);
    return [...unit, vec3.dot(unit, this.currentFrame.toView(point))];
  }

  #place(kind: string, inputs: unknown[], data: unknown, legend: LegendEntry | null, build: () => Built): Item {
    const key = `${kind} ${this.#count(kind)}`;
    this.#repeated.add(key);
    const all = [this.currentFrame, legend?.name, ...inputs];
    const old = this.#items.get(key);
    if (old !== undefined && all.every((input, i) => Object.is(input, old.inputs[i]))) {
      if (!sameData(data, old.data)) {
        old.data = data;
        old.show?.(data);
        this.changed();
      }
      return old;
    }
    const item: Item = { ...build(), inputs: all, legend, data, grip: null };
    item.show?.(data);
    if (old !== undefined) this.#remove(key);
    this.#items.set(key, item);
    this.root.add(item.object);
    this.changed();
    return item;
  }

  /** How many of a kind this draw had before; one more from now on. */
  #count(kind: string): number {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    return count;
  }

  #remove(key: string): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    this.root.remove(item.object);
    item.dispose();
    this.#items.delete(key);
  }

  #takeSurface(mesh: Mesh): SurfaceGeometry {
    const held = this.#surfaces.get(mesh) ?? { geometry: surfaceGeometry(mesh), uses: 0 };
    held.uses++;
    this.#surfaces.set(mesh, held);
    return held.geometry;
  }

  #releaseSurface(mesh: Mesh): void {
    const held = this.#surfaces.get(mesh);
    if (held === undefined || --held.uses > 0) return;
    held.geometry.dispose();
    this.#surfaces.delete(mesh);
  }
}

function cutKey(cut: CutPlane | null): string {
  return cut === null ? '' : [...cut.normal, ...cut.point].join();
}

/** Short arrays (a pose, a probe's position) by value, everything else by identity. */
function sameData(a: unknown, b: unknown): boolean {
  if (isShort(a) && isShort(b)) return a.length === b.length && a.every((value, i) => value === b[i]);
  return Object.is(a, b);
}

function isShort(value: unknown): value is number[] | Float64Array {
  return (Array.isArray(value) || value instanceof Float64Array) && value.length <= 7;
}

function disposeOf(object: { geometry: { dispose(): void }; material: { dispose(): void } }): void {
  object.geometry.dispose();
  object.material.dispose();
}
