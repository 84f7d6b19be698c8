# SPDX-License-Identifier: GPL-2.0-only
"""What CoflowSim does in the name of Aalo (its policy DARK)."""

import numpy as np

import ns3coflow as nc


class Dark(nc.AttainedRatePolicy):
    """Strict queues, FIFO inside; looks at bytes, and makes rates, when a coflow comes or goes."""

    width_first = nc.Parameter(False, help="Graviton's order inside queues, in place of FIFO")

    def setup(self):
        self.queue = {}

    def allocate(self, view, rates):
        free_in, free_out = view.ingress_rate.copy(), view.egress_rate.copy()
        rates[:] = 0
        queues = np.empty(len(view), int)
        for coflow, (number, sent) in enumerate(zip(view.id, view.sent, strict=True)):
            now = self.queue.get(int(number), 0)
            # It falls by one queue at a time.
            now += now < 9 and sent >= 1e7 * 10.0**now
            queues[coflow] = self.queue[int(number)] = now
        for coflow in np.lexsort((view.id, view.ready_ns, self.order(view, queues), queues)):
            part = slice(view.begin[coflow], view.end[coflow])
            src, dst = view.src[part], view.dst[part]
            to_source = np.bincount(src, minlength=len(free_in))
            to_target = np.bincount(dst, minlength=len(free_out))
            given = np.minimum(free_in[src] / to_source[src], free_out[dst] / to_target[dst])
            rates[part] = given
            free_in -= np.bincount(src, given, minlength=len(free_in))
            free_out -= np.bincount(dst, given, minlength=len(free_out))
            np.maximum(free_in, 0, out=free_in)
            np.maximum(free_out, 0, out=free_out)

    def order(self, view, queues):
        """The key inside queues: FIFO has none of its own."""
        if not self.width_first:
            return np.zeros(len(view))
        receivers = np.array(
            [
                len(np.unique(view.dst[begin:end]))
                for begin, end in zip(view.begin, view.end, strict=True)
            ]
        )
        # Thin first up to 10 GB, wide first up to 1 TB, FIFO above.
        return np.select([queues <= 3, queues <= 5], [receivers, -receivers], 0)
