import { type BlockOrder, isInForce, type StopList } from "../tpp/stop-list";

export function stopListOf(orders: Map<string, BlockOrder>): StopList {
  const find = (tppId: string, now: Date) => {
    const order = orders.get(tppId);
    return order !== undefined && isInForce(order, now) ? order : undefined;
  };
  return {
    find: async (tppId, now) => find(tppId, now),
    block: async (order) => {
      orders.set(order.tppId, order);
      return { outcome: "blocked" };
    },
    unblock: async (tppId, now) => find(tppId, now) !== undefined && orders.delete(tppId),
    list: async (now) => [...orders.values()].filter((order) => isInForce(order, now)),
  };
}
