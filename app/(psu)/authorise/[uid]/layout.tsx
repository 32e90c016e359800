import type { ReactNode } from "react";
import { BankDocument } from "@/components/frame";
import { languageOf, loadAuthorisationOnce } from "@/lib/psu/page-loaders";

type Props = {
  readonly params: Promise<{ readonly uid: string }>;
  readonly children: ReactNode;
};

export default async function AuthorisationLayout({ params, children }: Props) {
  return (
    <BankDocument language={await languageOf(await loadAuthorisationOnce((await params).uid))}>
      {children}
    </BankDocument>
  );
}
