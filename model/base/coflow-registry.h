/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_REGISTRY_H
#define COFLOW_REGISTRY_H

#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace coflow
{

/// Things of one kind by their names. A file enters its things when the program starts, through
/// objects of the type Registry<Entry>::Entry at namespace scope; after that nothing changes, but
/// for what a scripting language enters between runs.
/// @tparam Thing has a member `name`, and a static member KIND that names the kind in messages
template <typename Thing>
class Registry
{
  public:
    /// Enters one thing.
    struct Entry
    {
        /// @throws std::logic_error where the name is taken
        explicit Entry(Thing thing)
        {
            const std::string name = thing.name;
            if (!Things().emplace(name, std::move(thing)).second)
            {
                throw std::logic_error(std::string(Thing::KIND) + " " + name + " exists twice");
            }
        }
    };

    /// Enters a thing between runs, in the place of one of the same name.
    static void Replace(Thing thing)
    {
        const std::string name = thing.name;
        Things().insert_or_assign(name, std::move(thing));
    }

    /// Everything there is, by name.
    static const std::map<std::string, Thing>& All()
    {
        return Things();
    }

    /// @throws InputError that names what there is
    static const Thing& Find(const std::string& name)
    {
        const auto found = Things().find(name);
        if (found == Things().end())
        {
            std::vector<std::string> names;
            for (const auto& [known, thing] : Things())
            {
                names.push_back(known);
            }
            throw InputError(std::string(Thing::KIND) + " is '" + name +
                             "'; allowed: " + JoinNames(names) + SuggestName(name, names));
        }
        return found->second;
    }

  private:
    /// Built on first use, since entries come from several files in no order.
    static std::map<std::string, Thing>& Things()
    {
        static std::map<std::string, Thing> things;
        return things;
    }
};

} // namespace coflow

#endif // COFLOW_REGISTRY_H
