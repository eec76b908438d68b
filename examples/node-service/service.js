// An HTTP service: POST two model files and their poses, get the distance or, if they overlap, the depth.
// curl -d "{\"a\": \"$(base64 -w0 a.stl)\", \"b\": \"$(base64 -w0 b.glb)\"}" http://127.0.0.1:8080
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { NearfieldError } from 'nearfield/core';
import { mergeModel, readModel } from 'nearfield/io';
import { measurePenetration } from 'nearfield/penetration';
import { measureDistance, ProximityModel } from 'nearfield/proximity';

const IDENTITY = [0, 0, 0, 0, 0, 0, 1];
const LARGEST_BODY = 64 * 2 ** 20;

/** @param {{ a: string, b: string, poseA?: number[], poseB?: number[] }} request files in base64, of any format */
async function measure({ a, b, poseA = IDENTITY, poseB = IDENTITY }) {
  const [modelA, modelB] = await Promise.all([a, b].map(readBody));
  const { distance, witness } = measureDistance(modelA, modelB, poseA, poseB);
  if (distance !== 0) return { distance, pointA: witness?.pointA, pointB: witness?.pointB };
  const { lower, upper, vector } = await measurePenetration(modelA, modelB, poseA, poseB, { maxMilliseconds: 1000 });
  return { distance, depth: { lower, upper, vector } };
}

/** @param {string} base64 */
async function readBody(base64) {
  if (typeof base64 !== 'string') throw new NearfieldError('bad-argument', 'Give two files, a and b, in base64.');
  return new ProximityModel(mergeModel(await readModel(new Uint8Array(Buffer.from(base64, 'base64')))));
}

export function createService() {
  return createServer(async (request, response) => {
    const send = (/** @type {number} */ status, /** @type {object} */ answer) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    };
    try {
      let text = '';
      for await (const chunk of request) {
        text += chunk;
        if (text.length > LARGEST_BODY) return send(413, { error: 'too-large', message: 'The body is too large.' });
      }
      send(200, await measure(JSON.parse(text)));
    } catch (error) {
      if (error instanceof NearfieldError) return send(422, { error: error.code, message: error.message });
      if (error instanceof SyntaxError) return send(400, { error: 'bad-request', message: 'The body is not JSON.' });
      console.error(error);
      send(500, { error: 'internal', message: 'See the log of the service.' });
    }
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env.PORT ?? 8080);
  createService().listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
}
