// A small IFC4 file in millimeters: two equal walls and a column that holds a plate, on one storey, with a space and an
// opening in the first wall.

/** The text. Walls are 4000 by 200 by 3000 at the origin and at y = 5000; the column is 300 by 300 by 3000 at x = 2000. */
export function ifcText(): string {
  const lines: string[] = [];
  const add = (text: string): string => `#${lines.push(text)}`;
  const origin = add('IFCCARTESIANPOINT((0.,0.,0.))');
  const up = add('IFCDIRECTION((0.,0.,1.))');
  const right = add('IFCDIRECTION((1.,0.,0.))');
  const axes = add(`IFCAXIS2PLACEMENT3D(${origin},${up},${right})`);
  const flat = add('IFCCARTESIANPOINT((0.,0.))');
  const axes2 = add(`IFCAXIS2PLACEMENT2D(${flat},$)`);
  const context = add(`IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,${axes},$)`);
  const units = add(`IFCUNITASSIGNMENT((${add('IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)')}))`);
  const project = add(`IFCPROJECT('0project00000000000001',$,'house',$,$,$,$,(${context}),${units})`);
  const placement = (x: number, y: number, z = 0): string => {
    const point = add(`IFCCARTESIANPOINT((${x}.,${y}.,${z}.))`);
    return add(`IFCLOCALPLACEMENT($,${add(`IFCAXIS2PLACEMENT3D(${point},${up},${right})`)})`);
  };
  const site = add(`IFCSITE('0site00000000000000001',$,'site',$,$,${placement(0, 0)},$,$,.ELEMENT.,$,$,$,$,$)`);
  const building = add(`IFCBUILDING('0building0000000000001',$,'building',$,$,${placement(0, 0)},$,$,.ELEMENT.,$,$,$)`);
  const storey = add(
    `IFCBUILDINGSTOREY('0storey000000000000001',$,'ground floor',$,$,${placement(0, 0)},$,$,.ELEMENT.,0.)`,
  );
  const box = (w: number, d: number, h: number): string => {
    const profile = add(`IFCRECTANGLEPROFILEDEF(.AREA.,$,${axes2},${w}.,${d}.)`);
    return add(`IFCEXTRUDEDAREASOLID(${profile},${axes},${up},${h}.)`);
  };
  const shapeOf = (...solids: string[]): string => {
    const body = add(`IFCSHAPEREPRESENTATION(${context},'Body','SweptSolid',(${solids.join(',')}))`);
    return add(`IFCPRODUCTDEFINITIONSHAPE($,$,(${body}))`);
  };
  const wallBox = box(4000, 200, 3000);
  const wall = add(
    `IFCWALL('0wall00000000000000001',$,'wall',$,$,${placement(0, 0)},${shapeOf(box(4000, 200, 3000))},'t1',.SOLIDWALL.)`,
  );
  const wall2 = add(
    `IFCWALL('0wall00000000000000002',$,'wall',$,$,${placement(0, 5000)},${shapeOf(wallBox)},'t2',.SOLIDWALL.)`,
  );
  const wall3 = add(
    `IFCWALL('0wall00000000000000003',$,'wall',$,$,${placement(0, 9000)},${shapeOf(wallBox)},'t3',.SOLIDWALL.)`,
  );
  const opening = add(
    `IFCOPENINGELEMENT('0opening00000000000001',$,'opening',$,$,${placement(0, 0, 1000)},${shapeOf(box(1000, 400, 1000))},$,.OPENING.)`,
  );
  add(`IFCRELVOIDSELEMENT('0voids0000000000000001',$,$,$,${wall},${opening})`);
  const column = add(
    `IFCCOLUMN('0column000000000000001',$,'column',$,$,${placement(2000, 0)},${shapeOf(box(300, 300, 3000))},$,.COLUMN.)`,
  );
  const plate = add(
    `IFCPLATE('0plate0000000000000001',$,$,$,$,${placement(2000, 0, 3000)},${shapeOf(box(500, 500, 20))},$,$)`,
  );
  const space = add(
    `IFCSPACE('0space0000000000000001',$,'room',$,$,${placement(0, 2500)},${shapeOf(box(3000, 4000, 2800))},$,.ELEMENT.,.INTERNAL.,$)`,
  );
  add(`IFCRELAGGREGATES('0rel000000000000000001',$,$,$,${project},(${site}))`);
  add(`IFCRELAGGREGATES('0rel000000000000000002',$,$,$,${site},(${building}))`);
  add(`IFCRELAGGREGATES('0rel000000000000000003',$,$,$,${building},(${storey}))`);
  add(`IFCRELAGGREGATES('0rel000000000000000004',$,$,$,${storey},(${space}))`);
  add(`IFCRELAGGREGATES('0rel000000000000000005',$,$,$,${column},(${plate}))`);
  add(
    `IFCRELCONTAINEDINSPATIALSTRUCTURE('0rel000000000000000006',$,$,$,(${wall},${wall2},${wall3},${column}),${storey})`,
  );
  return [
    'ISO-10303-21;',
    "HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('house.ifc','2020-01-01T00:00:00',(''),(''),'','','');FILE_SCHEMA(('IFC4'));ENDSEC;",
    'DATA;',
    ...lines.map((text, i) => `#${i + 1}=${text};`),
    'ENDSEC;',
    'END-ISO-10303-21;',
    '',
  ].join('\n');
}
