/** What goes over the wire, as the standard's OpenAPI file has it and as far as this TPP reads it. */
export type AccountReference = { readonly iban: string; readonly currency?: string };
/** As the bank names an account. */
export type AccountNamed = AccountReference & { readonly maskedPan?: string };
export type Link = { readonly href: string };

type AllAccounts = "allAccounts" | "allAccountsWithOwnerName";
export type Access = {
  readonly accounts?: readonly AccountReference[];
  readonly balances?: readonly AccountReference[];
  readonly transactions?: readonly AccountReference[];
  readonly additionalInformation?: { readonly ownerName?: readonly AccountReference[] };
  readonly restrictedTo?: readonly string[];
  readonly availableAccounts?: AllAccounts;
  readonly availableAccountsWithBalance?: AllAccounts;
  readonly allPsd2?: AllAccounts;
  readonly allPSD2?: AllAccounts;
};

export type ConsentRequest = {
  readonly access: Access;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly combinedServiceIndicator: boolean;
};

export type ConsentCreated = {
  readonly consentStatus: string;
  readonly consentId: string;
  readonly _links: {
    readonly scaOAuth: Link;
    readonly self: Link;
    readonly status: Link;
    readonly scaStatus: Link;
  };
  readonly tppMessages?: readonly TppMessage[];
};

export type Consent = {
  readonly access: Access;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly lastActionDate: string;
  readonly consentStatus: string;
};

export type Amount = { readonly currency: string; readonly amount: string };
export type Balance = {
  readonly balanceAmount: Amount;
  readonly balanceType: string;
  readonly referenceDate?: string;
  readonly lastChangeDateTime?: string;
};

export type Account = {
  readonly resourceId: string;
  readonly iban: string;
  readonly currency: string;
  readonly name?: string;
  readonly displayName?: string;
  readonly product?: string;
  readonly cashAccountType?: string;
  readonly bic?: string;
  readonly linkedAccounts?: string;
  readonly usage?: string;
  readonly status?: string;
  readonly ownerName?: string;
  readonly ownerNames?: readonly { readonly name: string; readonly role?: string }[];
  readonly balances?: readonly Balance[];
  readonly _links?: { readonly balances?: Link; readonly transactions?: Link };
};

export type RemittanceReference = {
  readonly reference: string;
  readonly referenceType?: string;
  readonly referenceIssuer?: string;
};

/** What an entry has, and each member of a batch. */
export type BatchMember = {
  readonly transactionAmount: Amount;
  readonly creditorName?: string;
  readonly creditorAccount?: AccountNamed;
  readonly creditorAgent?: string;
  readonly ultimateCreditor?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: AccountNamed;
  readonly debtorAgent?: string;
  readonly ultimateDebtor?: string;
  readonly endToEndId?: string;
  readonly mandateId?: string;
  readonly checkId?: string;
  readonly creditorId?: string;
  readonly purposeCode?: string;
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationUnstructuredArray?: readonly string[];
  readonly remittanceInformationStructured?: RemittanceReference;
  readonly remittanceInformationStructuredArray?: readonly RemittanceReference[];
};

export type CurrencyExchange = {
  readonly sourceCurrency: string;
  readonly exchangeRate: string;
  readonly unitCurrency: string;
  readonly targetCurrency: string;
  readonly quotationDate: string;
  readonly contractIdentification?: string;
};

export type Transaction = BatchMember & {
  /** Of a standing order nothing is read by it. */
  readonly transactionId?: string;
  readonly entryReference?: string;
  readonly bookingDate?: string;
  readonly valueDate?: string;
  readonly batchIndicator?: boolean;
  readonly batchNumberOfTransactions?: number;
  readonly entryDetails?: readonly BatchMember[];
  readonly currencyExchange?: readonly CurrencyExchange[];
  readonly additionalInformation?: string;
  readonly bankTransactionCode?: string;
  readonly proprietaryBankTransactionCode?: string;
  readonly balanceAfterTransaction?: Balance;
  readonly additionalInformationStructured?: {
    readonly standingOrderDetails: {
      readonly startDate: string;
      readonly endDate?: string;
      readonly frequency: string;
      readonly executionRule?: string;
      readonly withinAMonthFlag?: boolean;
      readonly monthsOfExecution?: readonly string[];
      readonly multiplicator?: number;
      readonly dayOfExecution?: string;
      readonly limitAmount?: Amount;
    };
  };
};

export type TransactionReport = {
  readonly account?: AccountReference;
  readonly transactions: {
    readonly booked?: readonly Transaction[];
    readonly pending?: readonly Transaction[];
    readonly information?: readonly Transaction[];
    readonly _links: { readonly account: Link; readonly next?: Link };
  };
};

export type PaymentRequest = {
  readonly debtorAccount: AccountReference;
  readonly instructedAmount: Amount;
  readonly creditorAccount: AccountReference;
  readonly creditorName: string;
  readonly creditorAgent?: string;
  readonly creditorAddress?: {
    readonly streetName?: string;
    readonly buildingNumber?: string;
    readonly townName?: string;
    readonly postCode?: string;
    readonly country: string;
  };
  readonly endToEndIdentification?: string;
  readonly remittanceInformationUnstructured?: string;
  readonly chargeBearer?: string;
};

export type PaymentCreated = {
  readonly transactionStatus: string;
  readonly paymentId: string;
  readonly transactionFeeIndicator?: boolean;
  readonly transactionFees?: Amount;
  readonly _links: {
    readonly scaOAuth: Link;
    readonly self: Link;
    readonly status: Link;
    readonly scaStatus: Link;
  };
};

export type PaymentInstruction = PaymentRequest & { readonly transactionStatus?: string };

export type PaymentStatus = {
  readonly transactionStatus: string;
  /** Told while it is of use: after the PSU's yes and before the execution. */
  readonly fundsAvailable?: boolean;
  readonly psuMessage?: string;
  readonly tppMessages?: readonly TppMessage[];
};

export type TppMessage = {
  readonly category: "ERROR" | "WARNING";
  readonly code: string;
  readonly path?: string;
  readonly text?: string;
};
export type Refusal = {
  readonly tppMessages: readonly TppMessage[];
  /** `help`: the page about the first code. */
  readonly _links?: { readonly help?: Link };
};
