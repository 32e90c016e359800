import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { house } from "@/lib/composition";
import { logFault } from "../fault";
import { NO_PAGE } from "../own-page";
import { ownFrameOf } from "./frame";
import { ownStep } from "./pages";
import { signInPath } from "./paths";
import { permissionAsked } from "./permission-path";
import {
  type PermissionsView,
  type PermissionView,
  permissionsView,
  permissionView,
  type RevokeView,
  revokeView,
} from "./permissions-view";
import { type SignInView, signInView } from "./sign-in-view";
import { isSignedIn, type OwnVisit, openOwnVisit, type SignedInVisit } from "./visit";

/** A fault of ours has a page too: Next's own needs JavaScript. */
export type Fault = { readonly page: "fault" };
const FAULT: Fault = { page: "fault" };

export function arriveAtSignIn(to: unknown): Promise<SignInView | Fault> {
  return arrive(async (visit) => signInView(visit, to));
}

type SignOutView =
  | { readonly page: "signed-in"; readonly token: string }
  | { readonly page: "signed-out" };

export function arriveAtSignOut(): Promise<SignOutView | Fault> {
  return arrive(async (visit) =>
    "signIn" in visit.session
      ? { page: "signed-in", token: (await ownFrameOf(visit)).signOutToken }
      : { page: "signed-out" },
  );
}

export function arriveAtPermissions(page: unknown): Promise<PermissionsView | Fault> {
  return arriveInside("/permissions", (visit) => permissionsView(visit, page));
}

type Params = { readonly kind: string; readonly id: string };

/** An address of none, and another PSU's, lead to the page that says there is nothing here. */
export function arriveAtPermission(
  params: Params,
  after: unknown,
): Promise<PermissionView | Fault> {
  return arriveAt(params, "", (visit, address) => permissionView(visit, address, after));
}

export async function arriveAtRevoke(params: Params): Promise<RevokeView | Fault> {
  const view = await arriveAt(params, "/revoke", revokeView);
  return view.page === "onward" ? redirect(view.location) : view;
}

async function arriveAt<View>(
  { kind, id }: Params,
  rest: string,
  viewOf: (
    visit: SignedInVisit,
    address: NonNullable<ReturnType<typeof permissionAsked>>,
  ) => Promise<View | undefined>,
): Promise<View | Fault> {
  const address = permissionAsked(`${kind}/${id}`);
  const view = await arriveInside(`/permissions/${kind}/${id}${rest}`, async (visit) =>
    address === undefined ? undefined : viewOf(visit, address),
  );
  return view ?? redirect(NO_PAGE);
}

/** Only for whose SCA is done; everybody else is led to the sign-in, and from there back here. */
export async function arriveInside<View>(
  path: string,
  viewOf: (visit: SignedInVisit) => Promise<View>,
): Promise<View | Fault> {
  const arrived = await arrive(async (visit) => {
    const inside = ownStep(visit.session.state, "inside") === "asked-for" && isSignedIn(visit);
    return inside ? { shown: await viewOf(visit) } : { signIn: signInPath(path) };
  });
  if ("signIn" in arrived) return redirect(arrived.signIn);
  return "shown" in arrived ? arrived.shown : arrived;
}

async function arrive<View>(viewOf: (visit: OwnVisit) => Promise<View>): Promise<View | Fault> {
  const asked = await headers();
  try {
    return await viewOf(await openOwnVisit(house(), asked));
  } catch (error) {
    logFault("GET own channel", error);
    return FAULT;
  }
}
