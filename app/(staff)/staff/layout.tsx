import type { ReactNode } from "react";
import { BankDocument } from "@/components/frame";
import { services } from "@/lib/services";
import { staffPageLanguage } from "@/lib/staff/visit";

export const dynamic = "force-dynamic";

export default async function StaffLayout({ children }: { readonly children: ReactNode }) {
  return <BankDocument language={await staffPageLanguage(services())}>{children}</BankDocument>;
}
