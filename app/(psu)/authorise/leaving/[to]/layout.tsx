import type { ReactNode } from "react";
import { BankDocument } from "@/components/frame";
import { pageLanguage } from "@/lib/psu/language";
import { departureOf } from "@/lib/psu/page-loaders";

type Props = {
  readonly params: Promise<{ readonly to: string }>;
  readonly children: ReactNode;
};

export default async function LeavingLayout({ params, children }: Props) {
  const departure = await departureOf((await params).to);
  return (
    <BankDocument language={await pageLanguage(departure?.uiLocales)}>{children}</BankDocument>
  );
}
