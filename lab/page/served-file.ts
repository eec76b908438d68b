// Models that the lab's server was given: `nearfield lab gearbox.glb`.
import { NearfieldError } from 'nearfield/core';
import type { OpenedFile } from '../controls.js';

/** @throws NearfieldError if the server was not given a file of this name. */
export async function fetchServed(name: string): Promise<OpenedFile> {
  const reply = await fetch(`models/${encodeURIComponent(name)}`);
  if (!reply.ok) {
    throw new NearfieldError(
      'file-not-found',
      `The lab was not given ${name}, so this is the sample. Stop it and run npx nearfield lab ${name}, or drop the file here.`,
    );
  }
  return { name, bytes: new Uint8Array(await reply.arrayBuffer()), served: true };
}
