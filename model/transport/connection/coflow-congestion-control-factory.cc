/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-congestion-control-factory.h"

namespace ns3::coflow
{

CongestionControlFactory::CongestionControlFactory(const Ptr<TcpCongestionOps>& model)
    : m_model(model)
{
    for (TypeId tid = model->GetInstanceTypeId(); tid != TcpCongestionOps::GetTypeId();
         tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = tid.GetAttribute(i);
            if (attribute.accessor->HasGetter() && attribute.accessor->HasSetter())
            {
                const Ptr<AttributeValue> value = attribute.checker->Create();
                attribute.accessor->Get(PeekPointer(model), *value);
                m_attributes.emplace_back(attribute.accessor, value);
            }
        }
    }
}

Ptr<TcpCongestionOps>
CongestionControlFactory::Create() const
{
    const Ptr<TcpCongestionOps> control = m_model->Fork();
    for (const auto& [accessor, value] : m_attributes)
    {
        accessor->Set(PeekPointer(control), *value);
    }
    return control;
}

} // namespace ns3::coflow
