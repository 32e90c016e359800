/** The values of the folders in brackets: texts, or a list for `[...name]`. */
export type Segments = Readonly<Record<string, string | readonly string[]>>;
export type Route<Target> = { readonly target: Target; readonly segments: Segments };

type Node<Target> = {
  readonly fixed: Map<string, Node<Target>>;
  /** `[name]`: exactly one part of a path. */
  one?: { readonly name: string; readonly node: Node<Target> };
  /** `[...name]`: all the rest, and with `[[...name]]` also when there is none. */
  rest?: { readonly name: string; readonly orNone: boolean; readonly target: Target };
  target?: Target;
};

/**
 * Finds the route of a path, by the names of folders as Next reads them: what is fixed comes first, and
 * is compared as it was sent; only values are decoded.
 */
export function routeTree<Target>(
  routes: Readonly<Record<string, Target>>,
): (path: string) => Route<Target> | undefined {
  const root: Node<Target> = { fixed: new Map() };
  for (const [folder, target] of Object.entries(routes)) plant(root, parts(folder), target);
  return (path) => find(root, parts(path), {});
}

/** A slash at the end makes no other path. */
function parts(path: string): string[] {
  const all = path.split("/").slice(1);
  return all.at(-1) === "" ? all.slice(0, -1) : all;
}

function plant<Target>(root: Node<Target>, folders: readonly string[], target: Target): void {
  let node = root;
  for (const folder of folders) {
    const [, optional, dots, name] = /^\[(\[?)(\.{3})?([^\][.]+)\]?\]$/.exec(folder) ?? [];
    if (name === undefined) node = branch(node, folder);
    else if (dots === undefined) node = bracket(node, name);
    else {
      node.rest = { name, orNone: optional === "[", target };
      return;
    }
  }
  node.target = target;
}

function branch<Target>(node: Node<Target>, name: string): Node<Target> {
  const known = node.fixed.get(name) ?? { fixed: new Map() };
  node.fixed.set(name, known);
  return known;
}

function bracket<Target>(node: Node<Target>, name: string): Node<Target> {
  node.one ??= { name, node: { fixed: new Map() } };
  if (node.one.name !== name)
    throw new Error(`two names for one folder: ${node.one.name}, ${name}`);
  return node.one.node;
}

function find<Target>(
  node: Node<Target>,
  path: readonly string[],
  segments: Segments,
): Route<Target> | undefined {
  const [first, ...others] = path;
  const { fixed, one, rest } = node;
  if (first === undefined) {
    if (node.target !== undefined) return { target: node.target, segments };
    return rest?.orNone === true ? { target: rest.target, segments } : undefined;
  }
  const named = fixed.get(first);
  const found = named && find(named, others, segments);
  if (found !== undefined) return found;
  const within = one && find(one.node, others, { ...segments, [one.name]: decoded(first) });
  if (within !== undefined) return within;
  if (rest === undefined) return undefined;
  return {
    target: rest.target,
    segments: { ...segments, [rest.name]: path.map(decoded) },
  };
}

/** What has a broken escape in it stays as it was sent: it is nobody's id, and no fault of the server's. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
