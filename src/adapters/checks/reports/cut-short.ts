// A report that begins and does not end: the process may have ended before its tests did, whatever its exit code says.

export class CutShort extends Error {
  override readonly name = "CutShort";
}
