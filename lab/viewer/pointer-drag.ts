// A drag of the pointer over the canvas, and the turn that it stands for.
import { type Quat, quat, type Vec3 } from 'nearfield/core';
import { type Camera, Vector3 } from 'three';

/** Takes the pointer until it is let go; `released` is called then. Returns a function that lets go of it earlier. */
export function followPointer(
  canvas: HTMLCanvasElement,
  event: PointerEvent,
  moved: (event: PointerEvent) => void,
  released: () => void = () => {},
): () => void {
  event.stopImmediatePropagation();
  event.preventDefault();
  canvas.focus({ preventScroll: true });
  canvas.setPointerCapture(event.pointerId);
  let isHeld = true;
  const release = (): void => {
    canvas.removeEventListener('pointermove', moved);
    canvas.removeEventListener('pointerup', release);
    canvas.removeEventListener('pointercancel', release);
    if (canvas.hasPointerCapture(event.pointerId)) canvas.releasePointerCapture(event.pointerId);
    if (isHeld) released();
    isHeld = false;
  };
  canvas.addEventListener('pointermove', moved);
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  return release;
}

/** Rolls what is seen along with a drag, half a turn over the length `halfTurn`; all in CSS pixels. */
export function rollBy(right: number, down: number, camera: Camera, halfTurn: number): Quat {
  const length = Math.hypot(right, down);
  if (length === 0) return quat.identity();
  const axis = new Vector3(down / length, right / length, 0).transformDirection(camera.matrixWorld);
  return quat.fromAxisAngle(axis.toArray() as Vec3, (Math.PI * length) / halfTurn);
}
