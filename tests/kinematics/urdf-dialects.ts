// URDF files of our own, in the dialects of well-known robots, and the meshes that they name.
import { findModel, type Mesh } from '../../src/mesh/index.js';

/** An arm as research arms are described: packages, a hand on a fixed joint, fingers of which one mimics the other. */
export const RESEARCH_ARM = `<?xml version="1.0" ?>
<!-- expanded: the namespace stays -->
<robot name="seven" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <link name="arm_link0"><collision><geometry><mesh filename="package://seven_description/meshes/collision/link0.stl"/></geometry></collision></link>
  <link name="arm_link1">
    <visual><geometry><mesh filename="package://seven_description/meshes/visual/link1.dae"/></geometry></visual>
    <collision><geometry><mesh filename="package://seven_description/meshes/collision/link1.stl"/></geometry></collision>
  </link>
  <joint name="arm_joint1" type="revolute">
    <safety_controller k_position="100.0" k_velocity="40.0" soft_lower_limit="-2.8" soft_upper_limit="2.8"/>
    <origin rpy="0 0 0" xyz="0 0 0.333"/>
    <parent link="arm_link0"/><child link="arm_link1"/>
    <axis xyz="0 0 1"/>
    <limit effort="87" lower="-2.9" upper="2.9" velocity="2.2"/>
  </joint>
  <link name="arm_link2"><collision><origin xyz="0 0.2 0" rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.05" length="0.3"/></geometry></collision></link>
  <joint name="arm_joint2" type="revolute">
    <origin rpy="-1.5707963267948966 0 0" xyz="0 -0.1 0"/>
    <parent link="arm_link1"/><child link="arm_link2"/>
    <axis xyz="0 0 1"/>
    <limit effort="87" lower="-1.76" upper="1.76" velocity="2.2"/>
  </joint>
  <link name="hand"><collision><geometry><box size="0.2 0.06 0.08"/></geometry></collision></link>
  <joint name="hand_joint" type="fixed"><parent link="arm_link2"/><child link="hand"/><origin xyz="0 0.5 0" rpy="0 0 -0.785398163397"/></joint>
  <link name="leftfinger"><collision><geometry><box size="0.02 0.02 0.05"/></geometry></collision></link>
  <link name="rightfinger"><collision><geometry><box size="0.02 0.02 0.05"/></geometry></collision></link>
  <joint name="finger_joint1" type="prismatic">
    <parent link="hand"/><child link="leftfinger"/><origin xyz="0 0 0.0584"/><axis xyz="0 1 0"/>
    <limit effort="20" lower="0.0" upper="0.04" velocity="0.2"/>
  </joint>
  <joint name="finger_joint2" type="prismatic">
    <parent link="hand"/><child link="rightfinger"/><origin xyz="0 0 0.0584"/><axis xyz="0 -1 0"/>
    <limit effort="20" lower="0.0" upper="0.04" velocity="0.2"/>
    <mimic joint="finger_joint1"/>
  </joint>
</robot>`;

/** An arm as factories sell it: joints before links, children before parents, relative paths, a turntable without limits. */
export const FACTORY_ARM = `<robot name="six">
  <joint name="wrist" type="revolute">
    <parent link="forearm"/><child link="tool"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="forearm"/><origin xyz="0.6 0 0"/><axis xyz="0 1 0"/><limit lower="-2.5" upper="2.5" effort="1" velocity="1"/>
  </joint>
  <joint name="turntable" type="continuous"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.4"/><axis xyz="0 0 2"/></joint>
  <link name="tool"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <link name="forearm"><collision><origin xyz="0.25 0 0"/><geometry><mesh filename="meshes/rod.obj" scale="0.45 0.1 0.1"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.3 0 0"/><geometry><mesh filename="file:///robots/six/meshes/rod.obj" scale="0.55 0.12 0.12"/></geometry></collision></link>
  <link name="base"><collision><geometry><box size="0.3 0.3 0.3"/></geometry></collision></link>
</robot>`;

/** A walker as simulators describe it: inertia only, several shapes a link, mirrored meshes, transmissions, a floating root. */
export const WALKER = `<robot name="walker">
  <link name="world"/>
  <joint name="root" type="floating"><parent link="world"/><child link="trunk"/></joint>
  <link name="trunk">
    <inertial><mass value="4"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision>
    <collision><origin xyz="0.25 0 0"/><geometry><sphere radius="0.08"/></geometry></collision>
  </link>
  <link name="left"><collision><origin xyz="0 0 -0.15"/><geometry><mesh filename="../meshes/leg.STL" scale="0.001 0.001 0.001"/></geometry></collision></link>
  <link name="right"><collision><origin xyz="0 0 -0.15"/><geometry><mesh filename="../meshes/leg.STL" scale="0.001 -0.001 0.001"/></geometry></collision></link>
  <link name="imu"/>
  <joint name="imu_joint" type="fixed"><parent link="trunk"/><child link="imu"/></joint>
  <joint name="left_hip" type="revolute"><parent link="trunk"/><child link="left"/><origin xyz="0 0.15 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="right_hip" type="revolute"><parent link="trunk"/><child link="right"/><origin xyz="0 -0.15 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <transmission name="t"><joint name="left_hip"><hardwareInterface>EffortJointInterface</hardwareInterface></joint></transmission>
  <gazebo reference="trunk"><material>Gazebo/Grey</material></gazebo>
</robot>`;

/** A mesh for any file name; millimeters for the STL, which is not symmetric. */
export function dialectMesh(file: string): Mesh {
  const mesh = findModel('box').build();
  if (!file.endsWith('.STL')) return mesh;
  const positions = mesh.positions.map((value, i) => [60, 40, 300][i % 3] * (value + (i % 3 === 1 ? 0.5 : 0)));
  return { positions, indices: mesh.indices };
}
