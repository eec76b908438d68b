// Every scene of elastic bodies by name.
import { coilingSnake } from './coiling-snake.js';
import type { ElasticScene } from './elastic-scene.js';
import { elasticCylinders, pressedBallAndTorus } from './pressed.js';
import { softLetters } from './soft-letters.js';
import { swallowingSnake } from './swallowing-snake.js';

export const elasticScenes: readonly ElasticScene[] = [
  coilingSnake,
  swallowingSnake,
  pressedBallAndTorus,
  softLetters,
  elasticCylinders,
];

export function findElasticScene(name: string): ElasticScene {
  const found = elasticScenes.find((scene) => scene.name === name);
  if (found === undefined) {
    throw new Error(`there is no scene "${name}"; there are ${elasticScenes.map((scene) => scene.name).join(', ')}`);
  }
  return found;
}
