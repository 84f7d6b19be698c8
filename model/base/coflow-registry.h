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

/// A registry of objects of one kind, by name. A source file registers its objects when the program
/// starts, by objects of the type Registry<Thing>::Entry at namespace scope. Later, only a
/// scripting language changes the registry, between runs.
/// @tparam Thing type of the registered objects. It has a member `name`, and a static member KIND,
///         the name of the kind in messages
template <typename Thing>
class Registry
{
  public:
    /// Registers one object.
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

    /// Registers an object between runs. The object replaces an object with the same name.
    static void Replace(Thing thing)
    {
        const std::string name = thing.name;
        Things().insert_or_assign(name, std::move(thing));
    }

    /// All registered objects, by name.
    static const std::map<std::string, Thing>& All()
    {
        return Things();
    }

    /// @throws InputError that lists all names, where no object has the name
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
    /// Created at first use, because the order in which source files register things is not
    /// defined.
    static std::map<std::string, Thing>& Things()
    {
        static std::map<std::string, Thing> things;
        return things;
    }
};

} // namespace coflow

#endif // COFLOW_REGISTRY_H
