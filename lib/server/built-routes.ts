import path from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteFiles } from "./dispatch";
import { BUILT_SERVER } from "./server-bundle";

/** The route files of the TPP host as `buildServer` has bundled them. */
export async function builtRoutes(root: string): Promise<RouteFiles> {
  const file = pathToFileURL(path.join(root, BUILT_SERVER, "routes.mjs")).href;
  const { routes } = (await import(file)) as { readonly routes: RouteFiles };
  return routes;
}
