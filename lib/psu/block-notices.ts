import { type BlockNotices, sendBlockNotice } from "@/lib/domain/psu-attempts";
import { textsFor } from "./texts/texts-for";

type Ports = Parameters<typeof sendBlockNotice>[0];
type Means = {
  /** Customers sign in at the provider, which a block here does not reach. */
  readonly byProvider?: boolean;
  readonly onFault: (error: unknown) => void;
};

/** Text messages about a block, each in its customer's language; nobody's answer waits for them. */
export function blockNotices(ports: Ports, { byProvider, onFault }: Means): BlockNotices {
  const { name, defaultLanguage, languages, sca } = ports.profile;
  return {
    tell: (userId, notice, now) => {
      const wording = (known: string | undefined) => {
        const texts = textsFor(languages.find((one) => one === known) ?? defaultLanguage);
        const { blockNotices } = byProvider ? texts.approval : texts.signIn;
        return blockNotices[notice](sca.blockMinutes, name);
      };
      sendBlockNotice(ports, { userId, wording, now }).catch(onFault);
    },
  };
}
