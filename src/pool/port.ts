// What a pool and its workers talk through: a web Worker, a worker of Node's worker_threads, or a MessagePort of either.
// Nothing here imports Node: its objects are recognized by their shape.
import { NearfieldError } from '../core/errors.js';

/** Carries messages: `self` or `parentPort` in a worker, or a MessagePort. One of the two ways to listen is required. */
export interface Port {
  /** Sends a message to the other side. */
  postMessage(message: unknown): void;
  /** The listener interface of the web. */
  addEventListener?(type: string, listener: (event: Event) => void): void;
  /** The listener interface of Node. */
  on?(type: string, listener: (value: unknown) => void): unknown;
  /** Required by a MessagePort. */
  start?(): void;
}

/** A worker seen from outside: the web's `Worker`, Node's, or a MessagePort whose other end serves. */
export interface PoolWorker extends Port {
  /** Terminates the worker, if it is one. */
  terminate?(): unknown;
}

/** Delivers messages, and the notice that the other side is gone, to the listeners. */
export function listen<Message>(
  port: Port,
  onMessage: (message: Message) => void,
  onLost: (reason: string) => void = () => {},
): void {
  if (typeof port?.postMessage !== 'function') throw wrongPort();
  if (typeof port.addEventListener === 'function') {
    port.addEventListener('message', (event) => onMessage((event as MessageEvent<Message>).data));
    port.addEventListener('messageerror', () => onLost('a message could not be read'));
    port.addEventListener('error', (event) => {
      event.preventDefault?.();
      onLost((event as ErrorEvent).message || 'its script could not be loaded, or it ran out of memory');
    });
    port.addEventListener('close', () => onLost('its port was closed'));
  } else if (typeof port.on === 'function') {
    port.on('message', (message) => onMessage(message as Message));
    port.on('messageerror', () => onLost('a message could not be read'));
    port.on('error', (error) => onLost(error instanceof Error ? error.message : String(error)));
    port.on('exit', (code) => onLost(`it ended with code ${code}`));
    port.on('close', () => onLost('its port was closed'));
  } else {
    throw wrongPort();
  }
  port.start?.();
}

function wrongPort(): NearfieldError {
  return new NearfieldError('bad-argument', 'A worker or port must have addEventListener or on, and postMessage.');
}
