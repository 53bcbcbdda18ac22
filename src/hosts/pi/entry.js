// What pi loads. pi transforms an extension's TypeScript by itself, and all that it imports, each time its cache is gone: JavaScript
// it leaves to the runtime. That runs TypeScript too, but not that of an installed package: there the built file is taken.

const isInstalled = import.meta.url.includes("/node_modules/");
const { default: superteam } = await import(isInstalled ? "../../../dist/hosts/pi/extension.js" : "./extension.ts");

export default superteam;
