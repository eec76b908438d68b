// What readers and writers of ZIP archives share (PKWARE 2022, APPNOTE 6.3.10).

/** Format: the signature before each file. */
export const LOCAL_SIGNATURE = 0x04034b50;

/** Format: the signature before each entry of the directory. */
export const CENTRAL_SIGNATURE = 0x02014b50;

/** Format: the signature at the end of the directory. */
export const END_SIGNATURE = 0x06054b50;
