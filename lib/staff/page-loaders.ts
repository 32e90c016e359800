import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { StaffAction } from "@/lib/domain/staff";
import { logFault } from "@/lib/psu/ports";
import { services as processServices, type Services } from "@/lib/services";
import { admitted, readSaid, type Said, staffFormToken } from "./forms";
import { NOT_FOUND, SIGN_OUT, STAY } from "./paths";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import { type StaffVisit, staffPageLanguage } from "./visit";

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

type Loaded<View> = { readonly frame: StaffFrame; readonly view: View };

/** Leads elsewhere who has no session, whose roles do not allow it, and who asks for what is not there. */
export async function loadStaffPage<View>(asked: LoadPage<View>): Promise<Loaded<View> | "fault"> {
  const loaded = await loadOrElsewhere(asked).catch((error: unknown) => {
    logFault("GET of the staff console", error);
    return "fault" as const;
  });
  if (loaded === "fault" || typeof loaded === "object") return loaded;
  // Next leads by throwing, which is no fault.
  return redirect(loaded);
}

async function loadOrElsewhere<View>({ load, ...asked }: LoadPage<View>) {
  const visit = await admitted(processServices(), await headers(), asked);
  if (typeof visit === "string") return visit;
  const view = await load(visit);
  return view === undefined ? NOT_FOUND : { frame: await frameOf(visit, asked.path), view };
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
