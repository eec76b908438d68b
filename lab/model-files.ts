/** The extensions of the models that the lab opens, as file controls take them. */
export const MODEL_FILES = '.glb,.gltf,.3mf,.step,.stp,.iges,.igs,.ifc,.obj,.stl,.ply,.off,.dae';
