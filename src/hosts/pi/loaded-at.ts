// When this process met superteam first. Whatever was loaded since then stays, also when pi loads its extensions anew.

const place = Symbol.for("superteam.loaded-at");
const kept = globalThis as { [place]?: number };

export const loadedAt: number = kept[place] ?? Date.now();
kept[place] = loadedAt;
