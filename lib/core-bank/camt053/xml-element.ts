/** An element of the message's own namespace; what it holds is either text or elements. */
export type XmlElement = {
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  readonly parent: XmlElement | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  /** Without the blanks around it; empty where there are elements. */
  readonly text: string;
  readonly children: readonly XmlElement[];
};

/** `/Document/BkToCstmrStmt/Stmt/Ntry[3]/Amt`: counted where several siblings have the name. */
export function placeOf(element: XmlElement): string {
  const { parent, name } = element;
  if (parent === undefined) return `/${name}`;
  const alike = parent.children.filter((sibling) => sibling.name === name);
  const count = alike.length > 1 ? `[${alike.indexOf(element) + 1}]` : "";
  return `${placeOf(parent)}/${name}${count}`;
}
