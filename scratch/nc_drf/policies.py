# SPDX-License-Identifier: GPL-2.0-only
"""PS-P as CoflowSim might run it: rates stay as they are until a coflow comes or goes."""

import numpy as np

import ns3coflow as nc


class PsPAtCoflowEvents(nc.AttainedRatePolicy):
    """FairCloud PS-P, static: a flow has the smaller of its parts of its two ports."""

    widest = nc.Parameter(False, help="divide a coflow's part of any port as at its widest port")

    def allocate(self, view, rates):
        width = (view.end - view.begin).astype(np.int64)
        row = np.repeat(np.arange(len(view)), width)
        first = np.cumsum(width) - width
        flow = np.arange(width.sum()) - first[row] + view.begin.astype(np.int64)[row]
        part = np.full(len(flow), np.inf)
        most = np.zeros(len(view), np.int64)
        for ports, rate in (
            (view.src[flow], view.ingress_rate),
            (view.dst[flow], view.egress_rate),
        ):
            pairs, place, flows = np.unique(
                row * len(rate) + ports, return_inverse=True, return_counts=True
            )
            coflows = np.bincount(pairs % len(rate), minlength=len(rate))
            np.maximum.at(most, pairs // len(rate), flows)
            divided = 1 if self.widest else flows[place]
            part = np.minimum(part, rate[ports] / (coflows[ports] * divided))
        rates[flow] = part / most[row] if self.widest else part
