// A box flies by a knot; a line shows where the two are closest. What nearfield needs is marked.

import { LivePair, WitnessHelper } from 'nearfield/three'; // nearfield
import {
  BoxGeometry,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  TorusKnotGeometry,
  WebGLRenderer,
} from 'three';

const scene = new Scene();
const knot = new Mesh(new TorusKnotGeometry(1, 0.3, 128, 24), new MeshStandardMaterial({ color: 0x5b8cc9 }));
const box = new Mesh(new BoxGeometry(), new MeshStandardMaterial({ color: 0xd9a441 }));
// Scale needs no care: it is part of the model.
box.scale.set(0.5, 1.5, 0.5);
const sun = new DirectionalLight(0xffffff, 3);
sun.position.set(2, 4, 3);
scene.add(knot, box, sun, new HemisphereLight());

const pair = new LivePair(knot, box); // nearfield
const line = new WitnessHelper(); // nearfield
scene.add(line); // nearfield

const camera = new PerspectiveCamera(45, innerWidth / innerHeight, 0.1, 50);
camera.position.set(0, 2, 7);
camera.lookAt(0, 0, 0);
const renderer = new WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.querySelector('#root')!.append(renderer.domElement);
const answer = document.querySelector('#answer')!;

renderer.setAnimationLoop((time) => {
  box.position.set(2.2 + 0.6 * Math.sin(time / 900), Math.cos(time / 1300), 0.3);
  box.rotation.set(time / 1500, time / 1100, 0);
  knot.rotation.y = time / 3000;
  const result = pair.distance(); // nearfield
  line.update(result); // nearfield
  answer.textContent = `distance ${result.distance!.toFixed(4)}`;
  renderer.render(scene, camera);
});
