// The 3D view: a WebGL canvas that is drawn when something changed and never otherwise, with an orbiting camera for
// pointer and keyboard, handles to drag, and labels of HTML above it.
import type { ReadonlyVec3, Vec3 } from 'nearfield/core';
import {
  MathUtils,
  MOUSE,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Spherical,
  TOUCH,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Drawing, type Handle, type Sheet } from './drawing.js';
import type { Theme } from './palette.js';
import { followPointer, rollBy } from './pointer-drag.js';
import { clearSky, SkyPainter } from './sky.js';
import type { Grip } from './view.js';

/** Azimuth and elevation in degrees, distance in diagonals of the framed box, then the target in the view's units. */
export type CameraPlace = readonly number[];

/** The cone that the framed box's sphere must fit into, in degrees; the wider side of the canvas sees more. */
const FIELD_OF_VIEW = 30;
const HOME: CameraPlace = [35, 22, 1.85];
/** Of the gallery's pictures. */
const PICTURE_ASPECT = 1.6;
/** The distance at which the dashes of hidden lines have the length that is written. */
const DASH_DISTANCE = 1.4;
/** Room around a flat drawing, as a factor. */
const FLAT_MARGIN = 1.04;
const GRAB_RADIUS = 18;
/** A press on a sheet may miss what it means by this many pixels. */
const REACH = 12;
const TURN = MathUtils.degToRad(7.5);

export class Viewer {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 50);
  readonly #controls: OrbitControls;
  readonly #labels: HTMLElement;
  readonly #sky = clearSky();
  readonly #skyPainter: SkyPainter;
  /** Whether what casts shadows may have changed. */
  #skyStale = true;
  #drawing: Drawing;
  #flat = false;
  /** Where the scene opens, until it is drawn. */
  #opening: CameraPlace | null = null;
  /** The animation frame that will look at what is below the pointer. */
  #hovering = 0;
  #waiting = 0;
  #painted: (() => void)[] = [];
  /** Ends the drag of the pointer that is under way, or the last one again. */
  #release: () => void = () => {};
  /** Hears when the person has turned the camera, and when what is drawn has changed. */
  onCamera: () => void = () => {};
  onDrawing: () => void = () => {};

  /**
   * @param inPage in a page that scrolls: the wheel and a swipe over the background scroll it.
   * @throws where the browser gives no WebGL.
   */
  constructor(
    readonly host: HTMLElement,
    theme: Theme,
    { inPage = false }: { readonly inPage?: boolean } = {},
  ) {
    const canvas = document.createElement('canvas');
    // Asked for here, as the renderer would report a refusal on the console before it throws.
    const context = canvas.getContext('webgl2', { antialias: true, alpha: true, powerPreference: 'low-power' });
    if (context === null) throw new Error('no WebGL');
    this.#renderer = new WebGLRenderer({ canvas, context });
    this.#renderer.localClippingEnabled = true;
    this.#renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.#skyPainter = new SkyPainter(this.#renderer, this.#sky);
    this.canvas = canvas;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.#labels = document.createElement('div');
    this.#labels.className = 'labels';
    host.append(this.canvas, this.#labels);
    // A focus frame is for the keyboard: none while the pointer works.
    this.canvas.addEventListener('pointerdown', () => this.canvas.classList.add('by-pointer'), { capture: true });
    this.canvas.addEventListener('keydown', () => this.canvas.classList.remove('by-pointer'), { capture: true });
    this.canvas.addEventListener('blur', () => this.canvas.classList.remove('by-pointer'));
    // Before the orbit controls, so that a handle takes the pointer first.
    this.canvas.addEventListener('pointerdown', (event) => this.#grab(event), { capture: true });
    this.canvas.addEventListener('keydown', (event) => this.#pressKey(event));
    this.canvas.addEventListener('pointermove', (event) => this.#hover(event));
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.#skyStale = true;
      this.requestPaint();
    });
    this.#controls = new OrbitControls(this.#camera, this.canvas);
    this.#controls.minDistance = 0.05;
    this.#controls.maxDistance = 12;
    if (inPage) this.#leaveScrolling();
    this.#controls.addEventListener('change', () => this.requestPaint());
    this.#controls.addEventListener('start', () => {
      this.#opening = null;
    });
    this.#controls.addEventListener('end', () => this.onCamera());
    this.#drawing = this.#newDrawing(theme);
    this.placeCamera(HOME);
    new ResizeObserver(() => this.#resize()).observe(host);
    this.#resize();
  }

  #leaveScrolling(): void {
    this.#controls.enableZoom = false;
    this.#controls.enablePan = false;
    this.canvas.style.touchAction = 'pan-y';
    const keep = (event: TouchEvent): void => {
      if (event.touches.length === 1 && this.#gripAt(event.touches[0]) !== null) event.preventDefault();
    };
    this.canvas.addEventListener('touchstart', keep, { passive: false });
  }

  get drawing(): Drawing {
    return this.#drawing;
  }

  /** Starts an empty drawing in other colors. */
  setTheme(theme: Theme): void {
    this.#drawing.clear();
    this.#scene.remove(this.#drawing.root);
    this.#drawing = this.#newDrawing(theme);
  }

  /** Ends a drag, as if the pointer had let go: what it held is about to be left. */
  letGo(): void {
    this.#release();
  }

  describe(text: string): void {
    this.canvas.setAttribute('aria-label', text);
  }

  requestPaint(): void {
    if (this.#waiting === 0) this.#waiting = requestAnimationFrame(() => this.#paint());
  }

  /** Resolves when everything drawn so far is on the canvas. */
  painted(): Promise<void> {
    this.requestPaint();
    return new Promise((resolve) => this.#painted.push(resolve));
  }

  placeCamera(place: CameraPlace): void {
    this.#opening = null;
    const [azimuth, elevation, distance, ...target] = place;
    this.#controls.target.set(target[0] ?? 0, target[1] ?? 0, target[2] ?? 0);
    const polar = MathUtils.degToRad(90 - elevation);
    this.#camera.position.setFromSpherical(new Spherical(distance, polar, MathUtils.degToRad(azimuth)));
    this.#camera.position.add(this.#controls.target);
    this.#controls.update();
    this.requestPaint();
  }

  /**
   * Places the camera where a scene opens. The place is one for a picture of 16 to 10: in a narrower view, such as a phone's,
   * it stands back until what was in the picture's width fits; decided when something is drawn.
   */
  openCamera(place: CameraPlace): void {
    this.placeCamera(place);
    this.#opening = place;
  }

  #standBack([azimuth, elevation, distance, ...target]: CameraPlace): void {
    const { box, size } = this.#drawing.currentFrame;
    const half = new Vector3(...box.max).sub(new Vector3(...box.min)).divideScalar(2 * size);
    const reach = (axis: Vector3): number =>
      Math.abs(axis.x * half.x) + Math.abs(axis.y * half.y) + Math.abs(axis.z * half.z);
    const [right, up] = [0, 1].map((column) => new Vector3().setFromMatrixColumn(this.#camera.matrixWorld, column));
    const needed = (aspect: number): number => Math.max(reach(up), reach(right) / aspect);
    // Below 1 the field of view is wider already.
    const back = needed(Math.max(1, this.#camera.aspect)) / needed(PICTURE_ASPECT);
    if (back > 1) this.placeCamera([azimuth, elevation, distance * back, ...target]);
  }

  /** A flat scene is seen from the front: the camera moves along with it but does not turn. */
  setFlat(flat: boolean): void {
    this.#flat = flat;
    this.#controls.enableRotate = !flat;
    this.#controls.mouseButtons.LEFT = flat ? MOUSE.PAN : MOUSE.ROTATE;
    this.#controls.touches.ONE = flat ? TOUCH.PAN : TOUCH.ROTATE;
  }

  /** Where a scene begins. A flat one fills the view. */
  #home(): CameraPlace {
    if (!this.#flat) return HOME;
    const { box, size } = this.#drawing.currentFrame;
    const [width, height] = [0, 1].map((axis) => (box.max[axis] - box.min[axis]) / size);
    const slope = Math.tan(MathUtils.degToRad(this.#camera.fov / 2));
    const distance = (FLAT_MARGIN * Math.max(height, width / this.#camera.aspect)) / (2 * slope);
    return [0, 0, Number(distance.toFixed(3))];
  }

  /** Null when the camera stands where a scene begins. */
  cameraPlace(): CameraPlace | null {
    const target = this.#controls.target;
    const arm = new Spherical().setFromVector3(this.#camera.position.clone().sub(target));
    const place = [MathUtils.radToDeg(arm.theta), 90 - MathUtils.radToDeg(arm.phi), arm.radius];
    if (target.length() > 0.002) place.push(target.x, target.y, target.z);
    const rounded = place.map((value, i) => Number(value.toFixed(i < 2 ? 1 : 3)));
    const home = this.#home();
    return rounded.length === home.length && rounded.every((value, i) => value === home[i]) ? null : rounded;
  }

  resetCamera(): void {
    this.placeCamera(this.#home());
    this.onCamera();
  }

  /** Where a point of the world is on the page, in CSS pixels of the viewport; null behind the camera. */
  project(point: ReadonlyVec3): { x: number; y: number } | null {
    const local = this.#toCanvas(point);
    if (local === null) return null;
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: left + local.x, y: top + local.y };
  }

  #newDrawing(theme: Theme): Drawing {
    const changed = (): void => {
      this.#skyStale = true;
      this.requestPaint();
      this.onDrawing();
    };
    const drawing = new Drawing(theme, this.#renderer.getPixelRatio(), changed, this.#sky);
    this.#scene.add(drawing.root);
    return drawing;
  }

  #toCanvas(point: ArrayLike<number>): Vector2 | null {
    const place = new Vector3(...this.#drawing.currentFrame.toView(point)).project(this.#camera);
    if (!(place.z < 1)) return null;
    const { clientWidth, clientHeight } = this.canvas;
    return new Vector2(((place.x + 1) / 2) * clientWidth, ((1 - place.y) / 2) * clientHeight);
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    const fitted = this.#flat && this.cameraPlace() === null;
    this.#renderer.setSize(width, height);
    this.#sky.canvasSize.value.set(width, height);
    this.#camera.aspect = width / height;
    const half = Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2));
    this.#camera.fov = 2 * MathUtils.radToDeg(Math.atan(half / Math.min(1, this.#camera.aspect)));
    this.#camera.updateProjectionMatrix();
    if (fitted) this.placeCamera(this.#home());
    // At once: a canvas whose size was set is empty until it is drawn.
    this.#paint();
  }

  #paint(): void {
    cancelAnimationFrame(this.#waiting);
    this.#waiting = 0;
    if (this.#opening !== null && !this.#flat && !this.#drawing.isEmpty) {
      const place = this.#opening;
      this.#opening = null;
      this.#standBack(place);
    }
    if (this.#skyStale) this.#paintSky();
    this.#sky.dashScale.value = DASH_DISTANCE / this.#camera.position.distanceTo(this.#controls.target);
    this.#renderer.render(this.#scene, this.#camera);
    this.#placeLabels();
    for (const resolve of this.#painted.splice(0)) resolve();
  }

  #paintSky(): void {
    this.#skyStale = false;
    if (this.#drawing.isFlat) this.#skyPainter.clear();
    else this.#skyPainter.paint(this.#scene);
  }

  #placeLabels(): void {
    const { labels } = this.#drawing;
    while (this.#labels.childElementCount > labels.length) this.#labels.lastElementChild?.remove();
    labels.forEach((label, i) => {
      const element = (this.#labels.children[i] ??
        this.#labels.appendChild(document.createElement('span'))) as HTMLElement;
      if (element.textContent !== label.text) element.textContent = label.text;
      const at = this.#toCanvas(label.point);
      element.hidden = at === null;
      if (at !== null) element.style.transform = `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px)`;
    });
  }

  #pressKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arm = new Spherical().setFromVector3(this.#camera.position.clone().sub(this.#controls.target));
    if (this.#flat && event.key.startsWith('Arrow')) return;
    if (event.key === 'ArrowLeft') arm.theta -= TURN;
    else if (event.key === 'ArrowRight') arm.theta += TURN;
    else if (event.key === 'ArrowUp') arm.phi -= TURN;
    else if (event.key === 'ArrowDown') arm.phi += TURN;
    else if (event.key === '+' || event.key === '=') arm.radius /= 1.12;
    else if (event.key === '-' || event.key === '_') arm.radius *= 1.12;
    else if (event.key === '0' || event.key === 'Home') {
      this.resetCamera();
      event.preventDefault();
      return;
    } else return;
    event.preventDefault();
    arm.phi = MathUtils.clamp(arm.phi, 0.02, Math.PI - 0.02);
    this.#camera.position.setFromSpherical(arm).add(this.#controls.target);
    this.#controls.update();
    this.requestPaint();
    this.onCamera();
  }

  #grab(event: PointerEvent): void {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const handle = this.#handleAt(event);
    if (handle !== null) {
      const from = new Vector3(...this.#drawing.currentFrame.toView(handle.point));
      const moved = (point: Vector3) => handle.moved(this.#drawing.currentFrame.toWorld(point.toArray() as Vec3));
      this.#dragFrom(event, from, moved, handle.normal);
      return;
    }
    const held = this.#gripAt(event);
    if (held === null) {
      for (const sheet of this.#drawing.sheets) if (this.#draw(event, sheet)) return;
      return;
    }
    const { grip, point: from } = held;
    if ((grip.drag === 'turn') !== event.altKey) {
      const { clientX, clientY } = event;
      const halfTurn = Math.min(this.canvas.clientWidth, this.canvas.clientHeight);
      const turned = (moved: PointerEvent): void =>
        grip.turned(rollBy(moved.clientX - clientX, moved.clientY - clientY, this.#camera, halfTurn));
      this.#release = followPointer(this.canvas, event, turned, () => grip.released?.());
    } else {
      const { size } = this.#drawing.currentFrame;
      const taken = this.#drawing.currentFrame.toWorld(from.toArray() as Vec3);
      const moved = (point: Vector3): void =>
        grip.moved(point.clone().sub(from).multiplyScalar(size).toArray() as Vec3, taken);
      this.#dragFrom(event, from, moved, null, () => grip.released?.());
    }
  }

  /** The look of the pointer tells what a drag would do: take something, draw, or turn the view. */
  #hover(event: PointerEvent): void {
    if (event.pointerType === 'touch' || this.#hovering !== 0) return;
    if (event.buttons !== 0) {
      this.canvas.style.cursor = this.#drawing.sheets[0]?.pen.cursor ?? 'grabbing';
      return;
    }
    this.#hovering = requestAnimationFrame(() => {
      this.#hovering = 0;
      const takes = this.#handleAt(event) !== null || this.#gripAt(event) !== null;
      this.canvas.style.cursor = takes ? 'grab' : (this.#drawing.sheets[0]?.pen.cursor ?? 'default');
    });
  }

  /** Follows the pointer in a plane through a point, in the view's coordinates; without a normal it faces the camera. */
  #dragFrom(
    event: PointerEvent,
    from: Vector3,
    moved: (point: Vector3) => void,
    normal: Readonly<Vec3> | null = null,
    released: () => void = () => {},
  ): void {
    const facing = normal === null ? this.#camera.getWorldDirection(new Vector3()) : new Vector3(...normal);
    const plane = new Plane().setFromNormalAndCoplanarPoint(facing, from);
    const follow = (next: PointerEvent): void => {
      const point = this.#rayAt(next).ray.intersectPlane(plane, new Vector3());
      if (point !== null) moved(point);
    };
    this.#release = followPointer(this.canvas, event, follow, released);
  }

  /** Lets the pen of a sheet have the pointer; false if it does not want it. */
  #draw(event: PointerEvent, { point, normal, pen }: Sheet): boolean {
    const frame = this.#drawing.currentFrame;
    const plane = new Plane().setFromNormalAndCoplanarPoint(
      new Vector3(...normal),
      new Vector3(...frame.toView(point)),
    );
    const worldAt = (place: { readonly clientX: number; readonly clientY: number }): Vec3 | null => {
      const hit = this.#rayAt(place).ray.intersectPlane(plane, new Vector3());
      return hit === null ? null : frame.toWorld(hit.toArray() as Vec3);
    };
    const at = worldAt(event);
    const beside = worldAt({ clientX: event.clientX + REACH, clientY: event.clientY });
    if (at === null || beside === null) return false;
    const reach = Math.hypot(beside[0] - at[0], beside[1] - at[1], beside[2] - at[2]);
    const stroke = pen.press(at, reach);
    if (stroke === null) return false;
    const moved = (next: PointerEvent): void => {
      const place = worldAt(next);
      if (place !== null) stroke.moved(place);
    };
    this.#release = followPointer(this.canvas, event, moved, () => stroke.released?.());
    return true;
  }

  /** The surface under the pointer and where it was hit, where that surface is one to take hold of. */
  #gripAt(event: { readonly clientX: number; readonly clientY: number }): { grip: Grip; point: Vector3 } | null {
    const held = this.#drawing.held;
    if (held.length === 0) return null;
    const [hit] = this.#rayAt(event).intersectObjects(held.map(({ object }) => object.children[0]));
    if (hit === undefined) return null;
    const found = held.find(({ object }) => object === hit.object.parent);
    return found === undefined ? null : { grip: found.grip, point: hit.point };
  }

  #handleAt(event: { readonly clientX: number; readonly clientY: number }): Handle | null {
    const { left, top } = this.canvas.getBoundingClientRect();
    const pointer = new Vector2(event.clientX - left, event.clientY - top);
    let nearest: Handle | null = null;
    let nearestDistance = GRAB_RADIUS;
    for (const handle of this.#drawing.handles) {
      const distance = this.#toCanvas(handle.point)?.distanceTo(pointer) ?? Infinity;
      if (distance < nearestDistance) {
        nearest = handle;
        nearestDistance = distance;
      }
    }
    return nearest;
  }

  #rayAt(event: { readonly clientX: number; readonly clientY: number }): Raycaster {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const raycaster = new Raycaster();
    const x = (2 * (event.clientX - left)) / width - 1;
    const y = 1 - (2 * (event.clientY - top)) / height;
    raycaster.setFromCamera(new Vector2(x, y), this.#camera);
    return raycaster;
  }
}
