import type { ReactNode } from "react";
import { BankDocument } from "@/components/frame";
import { pageLanguage } from "@/lib/psu/language";

type Props = {
  readonly params: Promise<{ readonly locales?: string[] }>;
  readonly children: ReactNode;
};

export default async function EndedLayout({ params, children }: Props) {
  const { locales } = await params;
  return <BankDocument language={await pageLanguage(locales?.join(" "))}>{children}</BankDocument>;
}
