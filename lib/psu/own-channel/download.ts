import { house } from "@/lib/composition";
import { logFault } from "../fault";
import type { PsuHouse } from "../house";
import { NO_PAGE } from "../own-page";
import { seeOther } from "../see-other";
import { HOME, signInPath } from "./paths";
import { permissionAsked, permissionPath } from "./permission-path";
import { historyCsv, permissionsCsv } from "./permissions-csv";
import { isSignedIn, openOwnVisit, type SignedInVisit } from "./visit";

type Context = { readonly params: Promise<Readonly<Record<string, string | undefined>>> };

/** The whole list as a file. */
export function downloadPermissions(request: Request): Promise<Response> {
  return download(house, request, { name: "permissions.csv", page: HOME, fill: permissionsCsv });
}

/** The access history of one as a file. */
export async function downloadHistory(request: Request, { params }: Context): Promise<Response> {
  const { kind, id } = await params;
  const address = permissionAsked(`${kind}/${id}`);
  if (address === undefined) return seeOther(NO_PAGE);
  return download(house, request, {
    name: "access-history.csv",
    page: permissionPath(address),
    fill: (visit) => historyCsv(visit, address),
  });
}

type File = {
  readonly name: string;
  /** That has the link. */
  readonly page: string;
  readonly fill: (visit: SignedInVisit) => Promise<string | undefined>;
};

/** Who is not signed in is led to the sign-in, and from there to the page that has the link. */
export async function download(
  houseNow: () => PsuHouse,
  request: Request,
  { name, page, fill }: File,
): Promise<Response> {
  try {
    const visit = await openOwnVisit(houseNow(), request.headers);
    if (!isSignedIn(visit)) return seeOther(signInPath(page));
    const text = await fill(visit);
    return text === undefined ? seeOther(NO_PAGE) : csvFile(name, text);
  } catch (error) {
    logFault(`GET ${name}`, error);
    return seeOther(page);
  }
}

export function csvFile(name: string, text: string): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}
