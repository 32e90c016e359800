import type { ReactNode } from "react";
import { BankDocument } from "@/components/frame";
import { frontLanguage } from "./front";

export const dynamic = "force-dynamic";

export default async function SandboxLayout({ children }: { readonly children: ReactNode }) {
  return <BankDocument language={await frontLanguage()}>{children}</BankDocument>;
}
