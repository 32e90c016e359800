import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { mayDo, type StaffAction } from "@/lib/domain/staff";
import { logFault } from "@/lib/psu/services";
import { services as processServices, type Services } from "@/lib/services";
import { noteRefusal, readSaid, type Said, staffFormToken } from "./forms";
import { FORBIDDEN, NOT_FOUND, SIGN_OUT, STAY, staffSignInPath } from "./paths";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import { openStaffVisit, type StaffVisit, staffPageLanguage } from "./visit";

/** What every page of the console shows, and what its forms send. */
export type StaffFrame = {
  readonly visit: StaffVisit;
  readonly texts: StaffTexts;
  /** Where this very page is found again, without a query. */
  readonly path: string;
  readonly said: Said | undefined;
  readonly signOutToken: string;
  readonly stayToken: string;
};

export type LoadPage<View> = {
  /** Undefined for what every operator may see. */
  readonly action: StaffAction | undefined;
  readonly path: string;
  /** Undefined where there is nothing at this address. */
  readonly load: (visit: StaffVisit) => Promise<View | undefined>;
};

export type Loaded<View> = { readonly frame: StaffFrame; readonly view: View };

/** Leads to the sign-in who has no session, and to the page that says so whose roles do not allow it. */
export async function loadStaffPage<View>(asked: LoadPage<View>): Promise<Loaded<View> | "fault"> {
  const loaded = await loadOrFault(asked);
  switch (loaded) {
    case "fault":
      return loaded;
    case "nobody":
      return redirect(staffSignInPath(asked.path));
    case "forbidden":
      return redirect(FORBIDDEN);
    case "not-found":
      return redirect(NOT_FOUND);
    default:
      return loaded;
  }
}

async function loadOrFault<View>({ action, path, load }: LoadPage<View>) {
  const services = processServices();
  const asked = await headers();
  try {
    const visit = await openStaffVisit(services, asked);
    if (visit === undefined) return "nobody";
    if (action !== undefined && !mayDo(visit.operator.roles, action)) {
      await noteRefusal(visit, action);
      return "forbidden";
    }
    const view = await load(visit);
    if (view === undefined) return "not-found";
    return { frame: await frameOf(visit, path), view };
  } catch (error) {
    logFault("GET of the staff console", error);
    return "fault";
  }
}

async function frameOf(visit: StaffVisit, path: string): Promise<StaffFrame> {
  return {
    visit,
    texts: staffTextsFor(visit.language),
    path,
    said: await readSaid(visit.services, visit.cookieHeader, path),
    signOutToken: await staffFormToken(visit, SIGN_OUT),
    stayToken: await staffFormToken(visit, STAY),
  };
}

/** Of a page for which nobody has to be signed in. */
export async function loadStaffAlone(path: string) {
  const services: Services = processServices();
  const said = await readSaid(services, (await headers()).get("cookie"), path);
  return { services, texts: staffTextsFor(await staffPageLanguage(services)), said };
}
