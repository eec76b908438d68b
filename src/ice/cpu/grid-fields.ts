// The fields of a grid on the CPU, one array each. Of phase and temperature there are two, which change places in each step.

/** Layout: index of the first of the two arrays of the phase. */
export const PHASE_FIELD = 0;
/** Layout: index of the first of the two arrays of the temperature. */
export const HEAT_FIELD = 2;
/** Layout: index of the room for growth. */
export const ROOM_FIELD = 4;
/** Layout: the count of the arrays. */
export const FIELD_COUNT = 5;
