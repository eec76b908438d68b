// A ball swings through a box. The ball turns red while they overlap; the number follows in every frame, without React.
import { Canvas, useFrame } from '@react-three/fiber';
import { useProximity } from 'nearfield/react';
import { WitnessHelper } from 'nearfield/three';
import { useMemo, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import type { Mesh } from 'three';

function Pair() {
  const ball = useRef<Mesh>(null);
  const box = useRef<Mesh>(null);
  const line = useMemo(() => new WitnessHelper(), []);
  const touching = useProximity(ball, box, { query: 'intersects', rerender: true });
  useProximity(ball, box, {
    onResult: (result) => {
      line.update(result);
      document.querySelector('#answer')!.textContent = `distance ${result.distance!.toFixed(4)}`;
    },
  });
  useFrame(({ clock }) => ball.current!.position.set(1.5 + 1.5 * Math.sin(clock.elapsedTime), 0, 0), -1);
  return (
    <>
      <mesh ref={ball}>
        <sphereGeometry args={[0.5, 32, 16]} />
        <meshStandardMaterial color={touching.current?.intersects ? 'crimson' : 'seagreen'} />
      </mesh>
      <mesh ref={box} scale={[1, 2, 1]}>
        <boxGeometry />
        <meshStandardMaterial color="goldenrod" />
      </mesh>
      <primitive object={line} />
    </>
  );
}

createRoot(document.querySelector('#root')!).render(
  <Canvas camera={{ position: [0, 2, 6] }}>
    <ambientLight />
    <directionalLight position={[2, 4, 3]} intensity={3} />
    <Pair />
  </Canvas>,
);
