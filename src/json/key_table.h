// Finds a repeated key among many. Private to the folder.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "util/keyed_hash.h"

namespace data_import::json {

/// A hash table of keys, which stand elsewhere and are told apart by their numbers. Its time is in proportion
/// to the keys whatever they are: nobody outside of the process can choose keys that collide.
class KeyTable {
public:
    /// Forgets what was inserted, and makes room for `count` keys.
    void prepare(std::size_t count) { slots_.assign(std::bit_ceil(count * 2), Slot{}); }

    /// False where a key before it is the same: `is_same(number)` compares with the key of that number.
    template <typename IsSame>
    [[nodiscard]] bool insert(std::string_view key, std::uint32_t number, IsSame is_same) {
        const auto hash = static_cast<std::uint32_t>(hash_(key));
        std::size_t place = hash & (slots_.size() - 1);
        for (; slots_[place].is_taken; place = (place + 1) & (slots_.size() - 1)) {
            if (slots_[place].hash == hash && is_same(slots_[place].number)) return false;
        }
        slots_[place] = {hash, number, true};
        return true;
    }

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;
        bool is_taken = false;
    };

    const util::KeyedHash& hash_ = util::KeyedHash::of_process();
    std::vector<Slot> slots_;
};

}  // namespace data_import::json
